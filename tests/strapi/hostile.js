'use strict';
// hostile.js SITE: code of a project that tries to get out, in the place of describe.js. SITE/mode says which: by default it
// tries all that SITE/outside.json names, and what gets there leaves a trace with the name of the way it went.
const childProcess = require('child_process');
const dgram = require('dgram');
const dns = require('dns');
const fs = require('fs');
const net = require('net');
const path = require('path');
const { Worker, isMainThread, workerData } = require('worker_threads');

const site = isMainThread ? process.argv[2] : workerData;
const outside = JSON.parse(fs.readFileSync(path.join(site, 'outside.json'), 'utf8'));

// What Node's own modules reach, from a thread to which no wall within JavaScript was raised.
const fromThread = {
  'a file': () => fs.writeFileSync(path.join(outside.folder, 'thread'), ''),
  'the project': () => fs.appendFileSync(path.join(site, 'package.json'), ' '),
  sockets: () => outside.sockets.forEach((at) => net.connect(at).on('error', () => {})),
  TCP: () => net.connect(outside.tcp, '127.0.0.1').on('error', () => {}),
  UDP: () => {
    const socket = dgram.createSocket('udp4');
    socket.send('UDP', outside.udp, '127.0.0.1', () => socket.close());
  },
  DNS: () => {
    const resolver = new dns.Resolver({ timeout: 300, tries: 1 });
    resolver.setServers([`127.0.0.1:${outside.udp}`]);
    resolver.resolve4('secret.example.org', () => {});
  },
  'a signal': () => process.kill(outside.victim, 'SIGKILL'),
  memory: () => fs.writeFileSync('/dev/shm/hostile', ''),
  'temporary files': () => fs.writeFileSync('/tmp/hostile', ''),
};

const shell = (script) => {
  const child = new childProcess.ChildProcess();
  child.spawn({ file: '/bin/sh', args: ['sh', '-c', script], stdio: ['ignore', 'ignore', 'ignore'] });
  child.unref();
};
const fromProcess = {
  'a process': () => shell(`touch '${outside.folder}/process'`),
  'namespaces of its own': () =>
    shell(`unshare -rm sh -c "umount /run; mount -o remount,bind,rw / && touch '${outside.folder}/namespaces'"`),
  binding: () => {
    const { O_CREAT, O_WRONLY } = fs.constants;
    const file = path.join(outside.folder, 'binding');
    process.binding('fs').open(file, O_CREAT | O_WRONLY, 0o600, ...(parseInt(process.versions.node) < 20 ? [undefined, {}] : []));
  },
  'native code': () => process.dlopen({ exports: {} }, path.join(site, 'native.node')),
  'a process that stays': () => shell(`exec setsid sleep ${outside.stays}`),
};

function tryAll(ways) {
  for (const way of Object.values(ways))
    try {
      way();
    } catch {} // not that way
}

const modes = {
  memory() {
    const kept = [];
    for (let i = 0; i < 40; i++) kept.push(new Worker('setInterval(() => {}, 99); Buffer.alloc(1e8, 1)', { eval: true }));
    setInterval(() => kept.push(Buffer.alloc(1e8, 1)), 1);
  },
  loop() {
    for (;;);
  },
  waits: () => setInterval(() => {}, 1000),
  'too much': () => fs.writeSync(1, Buffer.alloc(9e6, 'x')),
  nonsense: () => fs.writeSync(1, '{"format":'),
  tells: () => fs.writeSync(1, JSON.stringify({ format: 1, site, uid: process.getuid(), groups: process.getgroups(), ...process.env })),
};

if (!isMainThread) tryAll(fromThread);
else {
  const mode = fs.existsSync(path.join(site, 'mode')) && fs.readFileSync(path.join(site, 'mode'), 'utf8').trim();
  if (mode) modes[mode]();
  else {
    tryAll(fromProcess);
    new Worker(__filename, { workerData: site }).on('exit', () => {
      fs.writeSync(2, 'a line\nit has tried all\u0007\n');
      process.exit(1);
    });
  }
}
