'use strict';

/**
 * itinerary router
 */

const { createCoreRouter } = require('@strapi/strapi').factories;

module.exports = createCoreRouter('api::itinerary.itinerary');
