'use strict';

/**
 * editor-pick router
 */

const { createCoreRouter } = require('@strapi/strapi').factories;

module.exports = createCoreRouter('api::editor-pick.editor-pick');
