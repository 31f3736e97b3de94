'use strict';
// What the configuration says, as Strapi has put it together of config/, config/env and the environment.
const path = require('path');
const fs = require('fs');
const secrets = require('./secrets');

const ofPlugin = (strapi, name) => strapi.config.get(`plugin::${name}`) || strapi.config.get(`plugin.${name}`) || {};
const middleware = (strapi, name) =>
  (strapi.config.get('middlewares') || []).find((item) => item?.name === name)?.config;

function rest(strapi) {
  const rest = { prefix: '/api', defaultLimit: 25, maxLimit: null, withCount: true, strictParams: false };
  const configured = strapi.config.get('api.rest') || {};
  for (const name of Object.keys(rest)) if (configured[name] !== undefined) rest[name] = configured[name];
  return {
    ...rest,
    strictDocuments: strapi.config.get('api.documents.strictParams') ?? false,
    privateAttributes: strapi.config.get('api.responses.privateAttributes') || [],
    arrayLimit: middleware(strapi, 'strapi::query')?.arrayLimit ?? 100,
    cors: middleware(strapi, 'strapi::cors') || {},
  };
}

// A connection that is a URL or is computed at each use says less: then `given` says which.
function database(strapi) {
  const { client, connection = {} } = strapi.config.get('database.connection') || {};
  if (typeof connection === 'function') return { client, given: 'function' };
  const { host, port, socketPath: socket, database: name, user, ssl, timezone } = connection;
  const url = connection.connectionString || (typeof connection === 'string' ? connection : undefined);
  return {
    ...{ client, host, port, socket, name, user, ssl: Boolean(ssl), timezone, given: url && 'url' },
    password: secrets.variableOf(connection.password, /PASS|PWD/i),
    url: secrets.variableOf(url, /URL/i),
  };
}

// What datetimes are stored in: the driver's zone, which is the process's unless the connection names another.
function timeZone(strapi) {
  const { timezone } = strapi.config.get('database.connection')?.connection || {};
  if (!timezone || timezone === 'local') return Intl.DateTimeFormat().resolvedOptions().timeZone;
  return timezone.toUpperCase() === 'Z' ? 'UTC' : timezone;
}

async function upload(strapi) {
  if (!strapi.plugins.upload) return undefined;
  const { provider } = strapi.plugin('upload');
  const isPrivate = provider?.isPrivate ? await provider.isPrivate() : false;
  return { provider: ofPlugin(strapi, 'upload').provider || 'local', private: Boolean(isPrivate) };
}

function plugins(strapi) {
  const enabled = strapi.config.get('enabledPlugins') || {};
  const version = (name) => {
    const folder = enabled[name]?.pathToPlugin;
    const file = folder && path.join(folder, 'package.json');
    return file && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).version : undefined;
  };
  return Object.fromEntries(Object.keys(strapi.plugins).map((name) => [name, version(name) || null]));
}

function learnSecrets(strapi) {
  const get = (name) => strapi.config.get(name);
  const connection = get('database.connection')?.connection;
  secrets.learn([
    ofPlugin(strapi, 'users-permissions').jwtSecret,
    get('admin.apiToken.salt'),
    get('admin.auth.secret'),
    get('admin.transfer.token.salt'),
    get('admin.secrets.encryptionKey'),
    get('server.app.keys') || [],
    connection?.password,
    connection?.connectionString,
    connection,
  ]);
}

async function settings(strapi) {
  const permissions = ofPlugin(strapi, 'users-permissions');
  return {
    rest: rest(strapi),
    database: database(strapi),
    timeZone: timeZone(strapi),
    jwtSecret: secrets.variableOf(permissions.jwtSecret, /JWT/i),
    apiTokenSalt: secrets.variableOf(strapi.config.get('admin.apiToken.salt'), /SALT/i),
    jwtManagement: strapi.plugins['users-permissions'] ? permissions.jwtManagement || 'legacy-support' : undefined,
    server: { host: strapi.config.get('server.host'), port: strapi.config.get('server.port') },
    upload: await upload(strapi),
    plugins: plugins(strapi),
  };
}

module.exports = { settings, learnSecrets };
