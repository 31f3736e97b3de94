// same.js ADDRESS CMS-PORT FIRST-PORT PATTERN PATTERN SITE...: sites in front of a CMS that refuses, each twice: without
// populate-fcgi, and with it. But for the reads that are its own, both respond the same bytes, whether it is running or
// not. Each line of standard input is `running` or `stopped`, and is answered by one. The reads whose names have the first
// pattern are not its own either, and requests whose state and name have the second one are left out. The first site
// without it has the first port, with it the next one, and so on.
const http = require('http');
const net = require('net');
const readline = require('readline');
const [address, cmsPort, firstPort, notOurs, notTheSame, ...sites] = process.argv.slice(2);

// The CMS says what it was asked, and how often. A path with /refuse/STATUS gets that status, one with /slow takes six
// seconds, longer than populate-fcgi may take on the site `a slow route`, which is asked nothing else.
const asked = new Map();
const cms = http.createServer(async (request, response) => {
    let bytes = 0;
    for await (const part of request) bytes += part.length;
    const { 'x-request': name, ...headers } = request.headers;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const status = /\/refuse\/(\d+)/.exec(request.url)?.[1] ?? 200;
    const body = JSON.stringify({ method: request.method, url: request.url, headers, bytes, asked: asked.get(name) }) + '\n';
    await new Promise((done) => setTimeout(done, /\/slow/.test(request.url) ? 6000 : 0));
    response.sendDate = false;
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body),
        'Cache-Control': 'private', 'Set-Cookie': 'a=b', ETag: '"cms"' });
    response.end(body);
});

const password = (text) => `Authorization: Basic ${Buffer.from(text).toString('base64')}`;
const one = (head, body = '') => ({ head, body, from: undefined });
const sized = (head, body) => one([...head, `Content-Length: ${body.length}`], body);
// Who may ask has this password; sites without one do not mind it.
const allowed = password('site:secret');
const ours = '/api/tags?sort=id';
const handed = '/api/nope?a[b]=1&c=%5B%2F';

const requests = new Map();
const refused = [401, 403, 404, 405, 413, 502];
for (const status of refused) {
    for (const method of ['POST', 'PUT', 'DELETE'])
        requests.set(`${method} refused by ${status}`, sized([`${method} /api/refuse/${status}/1`, allowed], '{"data":{}}'));
    requests.set(`a read refused by ${status}`, one([`GET /api/refuse/${status}`, allowed]));
}
for (const [name, path] of [['ours', ours], ['a read that is handed over', handed]]) {
    requests.set(name, one([`GET ${path}`, allowed]));
    requests.set(`${name}, in capitals`, one([`GET ${path.replace('api', 'API')}`, allowed]));
    requests.set(`HEAD of ${name}`, one([`HEAD ${path}`, allowed]));
    requests.set(`${name}, without password`, one([`GET ${path}`]));
    requests.set(`HEAD of ${name}, without password`, one([`HEAD ${path}`]));
    requests.set(`${name}, with a wrong password`, one([`GET ${path}`, password('site:wrong')]));
    requests.set(`${name}, from an address that is denied`, { ...one([`GET ${path}`, allowed]), from: '127.0.0.9' });
    for (const time of [1, 2, 3]) requests.set(`${name}, limited, number ${time}`, one([`GET ${path}`, allowed, 'X-Request: limited']));
    requests.set(`${name}, with a body`, sized([`GET ${path}`, allowed], '{"a":1}'));
    requests.set(`${name}, with a chunked body`, one([`GET ${path}`, allowed, 'Transfer-Encoding: chunked'], '7\r\n{"a":1}\r\n0\r\n\r\n'));
    requests.set(`${name}, as a preview`, one([`GET ${path}`, allowed, 'Strapi-Encode-Source-Maps: true']));
}
requests.set('an unknown caller', one([`GET ${ours}`, 'Authorization: Bearer unknown']));
for (const path of ['/api', '/api/', '/api/articles/99999', '/api/slow', '/api/no%2Fpe?a=%2F', '/api/n%6Fpe', '/api//nope', '//api/nope', '/api/./nope',
    '/api/x/../nope', '/api/nope/', '/api/n%C3%B6pe', '/api/no|pe', '/admin/x', '/apis', '/api/nope?', '/api/nope?a b', '/api/nope#a'])
    requests.set(path, one([`GET ${path}`, allowed]));
requests.set('OPTIONS', one(['OPTIONS /api/tags', allowed]));
requests.set('an upload', sized(['POST /api/upload', allowed], 'a'.repeat(300_000)));

const exchange = (port, { head: [line, ...headers], body, from }) => new Promise((done) => {
    const socket = net.connect({ host: address, port, localAddress: from });
    const parts = [];
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => done(Buffer.concat(parts).toString().replace(/^Date: .*\r\n/im, '').replaceAll(`:${port}`, ':PORT')));
    socket.write([`${line} HTTP/1.1`, 'Host: site.example', 'Connection: close', ...headers, '', body].join('\r\n'));
});
const named = (request, name) => request.head.some((line) => line.startsWith('X-Request')) ?
    { ...request, head: request.head.map((line) => line.replace('X-Request:', `X-Request: ${name}`)) } :
    { ...request, head: [...request.head, `X-Request: ${name}`] };
// populate-fcgi may respond where the site alone would let the CMS respond, or finds that it is gone.
const isOurs = (response, without) => /^HTTP\/1.1 (200|502) /.test(without) && /^HTTP\/1.1 200 /.test(response) &&
    !response.includes('ETag: "cms"') && (response.includes('{"data":[') || response.endsWith('\r\n\r\n')) &&
    (without.match(/^X-Site: .*$/gm) ?? []).every((header) => response.includes(header));

const compare = async (state, site, at, report) => {
    for (const [name, request] of requests) {
        if (new RegExp(notTheSame).test(`${state}: ${name}`) || (site === 'a slow route') !== (name === '/api/slow')) continue;
        const label = (way) => `${state} ${site} ${way} ${name.replace(/ number .*/, '')}`;
        const ask = (way) => exchange(+firstPort + 2 * at + (way === 'with' ? 1 : 0), named(request, label(way)));
        let [without, response] = await Promise.all([ask('without'), ask('with')]);
        // On a busy machine populate-fcgi may take longer than it may here, and then hands nothing over.
        for (let more = 10; name === '/api/slow' && !asked.has(label('with')) && more > 0; --more) response = await ask('with');
        const mayBeOurs = state === 'running' && /^(HEAD of )?ours/.test(name) && !/body|preview/.test(name) && !new RegExp(notOurs).test(name);
        if (mayBeOurs && isOurs(response, without)) ++report.ours;
        else if (response !== without || (mayBeOurs && response.startsWith('HTTP/1.1 200')))
            report.wrong.push(`${state}, ${site}: ${name}\n--- ${mayBeOurs ? 'expected ours instead of' : 'expected'}\n${without}\n--- got\n${response}\n`);
    }
};
cms.keepAliveTimeout = 0; // a server that reuses a connection finds it open
cms.listen(cmsPort, address, async () => {
    console.log('ready');
    for await (const state of readline.createInterface({ input: process.stdin })) {
        const report = { ours: 0, wrong: [] };
        await Promise.all(sites.map((site, at) => compare(state, site, at, report)));
        process.stderr.write(report.wrong.slice(0, 5).join('\n'));
        console.log(`${state}: ${sites.length} sites, ${requests.size} requests to each, ${report.ours} of them ours, ${report.wrong.length} wrong`);
    }
    process.exit();
});
