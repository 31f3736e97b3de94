'use strict';
// What may not happen while the project's code runs. It makes plain errors of accidents and keeps nobody out who means
// to get out: README.md. It has to stand before Strapi is loaded, since packages keep copies of the functions of `fs`.
const childProcess = require('child_process');
const dgram = require('dgram');
const fs = require('fs');
const net = require('net');
const path = require('path');
const { packageOf } = require('./origin');

// { what, host, at, isStrapis }: `at` is the first place outside of packages, or else the first one.
const attempts = [];
let project = '';

function caller() {
  const frames = new Error().stack.split('\n').map((line) => /\(?(\/[^()]+):(\d+):\d+\)?$/.exec(line));
  const places = frames.filter((frame) => frame && path.dirname(frame[1]) !== __dirname);
  const frame = places.find(([, file]) => !packageOf(file)) || places[0];
  return frame
    ? { at: `${path.relative(project, frame[1])}:${frame[2]}`, isStrapis: /^@strapi[\\/]/.test(packageOf(frame[1])) }
    : {};
}

function note(what, host) {
  attempts.push({ what, host, ...caller() });
  return attempts[attempts.length - 1];
}

const refusal = (what) =>
  Object.assign(new Error(`${what}, which is not done while a project is described`), { attempt: note(what) });

function refuse(what) {
  throw refusal(what);
}

// A host is neither refused nor reached: who does not wait for it goes on as if it were slow, and who does never ends.
function hideNetwork() {
  net.Socket.prototype.connect = function (...given) {
    const [first, second] = given.flat();
    const { host, port, path: socket } = typeof first === 'object' ? first : { port: first, host: second };
    note('connects', socket || `${typeof host === 'string' ? host : 'localhost'}:${port}`);
    this.connecting = true;
    return this;
  };
  globalThis.fetch = (request) => {
    note('connects', new URL(request.url || request).host);
    return new Promise(() => {});
  };
  net.Server.prototype.listen = () => refuse('listens');
  dgram.Socket.prototype.send = () => refuse('sends a datagram');
}

// Who gave a callback is told there.
const told =
  (what) =>
  (...given) => {
    const callback = given.pop();
    return typeof callback === 'function' ? process.nextTick(callback, refusal(what)) : refuse(what);
  };

function refuseWrites() {
  const what = 'writes a file';
  const names = 'writeFile appendFile rm rmdir unlink rename copyFile symlink link chmod chown truncate utimes mkdtemp cp';
  for (const name of names.split(' ')) {
    fs[`${name}Sync`] = () => refuse(what);
    fs[name] = told(what);
    fs.promises[name] = async () => refuse(what);
  }
  fs.createWriteStream = () => refuse(what);
  const writes = (flags) =>
    typeof flags === 'number' ? flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR) : /[wa+]/.test(flags);
  const guarded =
    (open, otherwise) =>
    (file, flags, ...rest) =>
      writes(typeof flags === 'function' ? 'r' : (flags ?? 'r')) ? otherwise(...rest) : open(file, flags, ...rest);
  fs.openSync = guarded(fs.openSync, () => refuse(what));
  fs.open = guarded(fs.open, told(what));
  fs.promises.open = guarded(fs.promises.open, async () => refuse(what));
  // Strapi makes folders that are mostly there, and uses none of them here.
  fs.mkdirSync = () => undefined;
  fs.mkdir = (...given) => process.nextTick(given[given.length - 1], null);
  fs.promises.mkdir = async () => undefined;
}

function raise(folder) {
  project = folder;
  Error.stackTraceLimit = 60;
  hideNetwork();
  refuseWrites();
  for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'])
    childProcess[name] = () => refuse('starts a program');
  process.exit = () => refuse('ends the process');
  process.kill = () => refuse('sends a signal');
  process.stdout.write = process.stderr.write = () => true; // what is printed is the document, or one sentence
}

module.exports = { raise, attempts };
