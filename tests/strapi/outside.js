'use strict';
// outside.js FOLDER SOCKET…: what a project must not reach: these sockets, and a port for TCP and for UDP, which answers questions of
// DNS with nothing. It writes FOLDER/ports.json, and into FOLDER/met what reached it.
const dgram = require('dgram');
const fs = require('fs');
const net = require('net');
const path = require('path');

const [folder, ...sockets] = process.argv.slice(2);
const met = (name) => fs.appendFileSync(path.join(folder, 'met'), `${name}\n`);
const meeting = (name) => (socket) => (met(name), socket.destroy());
const listen = (server, at) => new Promise((resolve) => server.listen(at, () => resolve(server.address())));

async function main() {
  for (const socket of sockets) {
    await listen(net.createServer(meeting(socket)), socket);
    fs.chmodSync(socket, 0o777);
  }
  const { port: tcp } = await listen(net.createServer(meeting('TCP')), { port: 0, host: '127.0.0.1' });
  const server = dgram.createSocket('udp4');
  server.on('message', (data) => met(data.includes('example') ? 'DNS' : 'UDP'));
  await new Promise((resolve) => server.bind(0, '127.0.0.1', resolve));
  fs.writeFileSync(path.join(folder, 'ports.new'), JSON.stringify({ tcp, udp: server.address().port }));
  fs.renameSync(path.join(folder, 'ports.new'), path.join(folder, 'ports.json'));
}

main();
