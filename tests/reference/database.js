// In the place of a project's own config/database.js: a private server without network.
module.exports = ({ env }) => ({
  connection: {
    // Strapi 5 calls that driver `mysql`.
    client: env('DATABASE_CLIENT', 'mysql2'),
    connection: {
      socketPath: env('DATABASE_SOCKET'),
      database: env('DATABASE_NAME'),
      user: 'strapi',
      password: 'strapi',
    },
  },
  // `false` is for Strapi 4 alone, which else drops indexes that it has not made; 5 drops none.
  settings: { strictSyncSchema: env.bool('DATABASE_STRICT_SYNC', true) },
});
