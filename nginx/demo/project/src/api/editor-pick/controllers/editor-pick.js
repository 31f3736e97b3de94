'use strict';

/**
 * editor-pick controller
 */

const { createCoreController } = require('@strapi/strapi').factories;

module.exports = createCoreController('api::editor-pick.editor-pick');
