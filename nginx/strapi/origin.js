'use strict';
// Where a function was written, as V8 knows it. No text is compared.
const { Session } = require('inspector');
const { fileURLToPath } = require('url');
const path = require('path');

const scripts = new Map();
let session;

function ask(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => (answer = result)); // answered before post() returns
  return answer;
}

function begin() {
  session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  session.post('Debugger.enable');
}

function find(f) {
  if (!session) begin();
  globalThis.__described = f;
  let id = ask('Runtime.evaluate', { expression: '__described' }).result.objectId;
  delete globalThis.__described;
  while (id) {
    const internal = ask('Runtime.getProperties', { objectId: id, ownProperties: true }).internalProperties || [];
    const found = (name) => internal.find((property) => property.name === name);
    const at = found('[[FunctionLocation]]')?.value?.value;
    if (at) {
      const url = scripts.get(at.scriptId) || '';
      return { file: url.startsWith('file:') ? fileURLToPath(url) : url, line: at.lineNumber + 1 };
    }
    id = (found('[[TargetFunction]]') || found('[[Target]]'))?.value.objectId;
  }
  return { file: '', line: 0 };
}

const origins = new WeakMap();

// `file` is '' for what is built in. A function that bind() or a Proxy made is where the one behind it is.
function origin(f) {
  if (!origins.has(f)) origins.set(f, find(f));
  return origins.get(f);
}

// The package that a file is of: the last one in its path, since packages hold others.
const packageOf = (file) =>
  file
    .split(/[\\/]node_modules[\\/]/)
    .slice(1)
    .pop() || '';
const isStrapis = (f) => /^(@strapi|lodash)[\\/]/.test(packageOf(origin(f).file)); // lodash wraps some of Strapi's

function place(f, project) {
  const { file, line } = origin(f);
  return file ? `${path.relative(project, file)}:${line}` : 'a built-in function';
}

// The functions among these members of an object that are not Strapi's; without names, among all of its members.
const foreign = (object, names = Object.keys(object || {})) =>
  names.filter((name) => typeof object?.[name] === 'function' && !isStrapis(object[name]));

module.exports = { origin, packageOf, isStrapis, place, foreign };
