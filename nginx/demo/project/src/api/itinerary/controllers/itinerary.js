'use strict';

/**
 * itinerary controller
 */

const { createCoreController } = require('@strapi/strapi').factories;

module.exports = createCoreController('api::itinerary.itinerary');
