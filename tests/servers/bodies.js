// bodies.js ADDRESS PORT...: to each port, reads with a body that does not end: with a length, in chunks, and over HTTP/2
// without a length. Says `sent` once the server has taken all that is sent of them, or has responded, and waits until it
// is ended.
const http2 = require('http2');
const net = require('net');
const [address, ...ports] = process.argv.slice(2);
const megabytes = 4;
const piece = Buffer.alloc(65536, 'a');

const over1 = (port, header, frame) => new Promise((done) => {
    const socket = net.connect(port, address);
    let left = (megabytes << 20) / piece.length;
    const send = () => {
        while (left-- > 0) if (!socket.write(frame)) return;
        if (socket.writableLength === 0) done();
    };
    socket.write(`GET /api/nope HTTP/1.1\r\nHost: site.example\r\n${header}\r\n\r\n`);
    socket.on('drain', send).on('data', done).on('close', done).on('error', done);
    send();
});
const over2 = (port) => new Promise((done) => {
    const session = http2.connect(`http://${address}:${port}`).on('error', done).on('close', done);
    const stream = session.request({ ':path': '/api/nope' }, { endStream: false }).on('response', done).on('error', done).on('close', done);
    let left = (megabytes << 20) / piece.length;
    const send = () => left-- > 0 ? stream.write(piece, send) : done();
    send();
});
const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
Promise.all(ports.flatMap((port) => [
    ...[1, 2, 3].map(() => over1(port, 'Content-Length: 100000000000', piece)),
    ...[1, 2, 3].map(() => over1(port, 'Transfer-Encoding: chunked', chunk)),
    ...[1, 2, 3].map(() => over2(+port + 1)),
])).then(() => console.log('sent'));
setInterval(() => {}, 1000);
