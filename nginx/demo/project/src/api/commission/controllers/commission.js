'use strict';

/**
 * commission controller
 */

const { createCoreController } = require('@strapi/strapi').factories;

module.exports = createCoreController('api::commission.commission');
