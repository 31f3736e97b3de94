'use strict';

/**
 * place controller
 */

const { createCoreController } = require('@strapi/strapi').factories;

module.exports = createCoreController('api::place.place');
