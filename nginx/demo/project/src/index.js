'use strict';

module.exports = {
  register(/*{ strapi }*/) {},

  bootstrap(/*{ strapi }*/) {},
};
