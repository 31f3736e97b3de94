// In the place of a project's own config/database.js: a private server without network.
module.exports = ({ env }) => ({
  connection: {
    client: 'mysql2',
    connection: {
      socketPath: env('DATABASE_SOCKET'),
      database: env('DATABASE_NAME'),
      user: 'strapi',
      password: 'strapi',
    },
  },
});
