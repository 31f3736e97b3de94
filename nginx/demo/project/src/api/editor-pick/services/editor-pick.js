'use strict';

/**
 * editor-pick service
 */

const { createCoreService } = require('@strapi/strapi').factories;

module.exports = createCoreService('api::editor-pick.editor-pick');
