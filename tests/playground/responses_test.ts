// The short form that the page writes of a URL is answered as the URL is, and so is each of its examples:
//   STACK_URL=… node responses_test.js DATA MODEL      tests/data, the OpenAPI document of tests/data/ks
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { examplesOf, samplesOf, sampleUrl } from '../../nginx/playground/src/examples';
import { readModel } from '../../nginx/playground/src/model';
import { readQuery } from '../../nginx/playground/src/read_query';
import { writeQuery } from '../../nginx/playground/src/write_query';

const [data, document] = process.argv.slice(2);
const { apiTokens } = JSON.parse(readFileSync(`${data}/ks/secrets.json`, 'utf8'));
const recorded = gunzipSync(readFileSync(`${data}/ks/recorded.jsonl.gz`))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const model = readModel(JSON.parse(readFileSync(document, 'utf8')));

async function bodyOf(url: string): Promise<unknown> {
  const response = await fetch(process.env.STACK_URL + url, { headers: { Authorization: `Bearer ${apiTokens.full}` } });
  return response.ok ? response.json() : response.status;
}

test('short URLs are answered as those that they are made of', async () => {
  const urls = recorded
    .filter(({ method, status, path }) => method === 'GET' && status === 200 && !path.includes('#'))
    .map(({ path }) => path as string);
  let shorter = 0;
  for (const url of new Set(urls)) {
    const short = writeQuery(readQuery(url, model), model);
    if (short === url) continue;
    const expected = await bodyOf(url);
    if (typeof expected === 'number') continue; // means to be refused
    assert.deepEqual(await bodyOf(short), expected, `${url}\n${short}`);
    shorter += Number(short.length < url.length);
  }
  console.log(`${shorter} of ${urls.length} URLs became shorter`);
  assert.ok(shorter > 300);
});

test('examples of all types are answered', async () => {
  const parameters = new Set<string>();
  let count = 0;
  for (const route of model.routes.filter(({ key }) => !key)) {
    const [sample] = samplesOf(await bodyOf(sampleUrl(route)));
    for (const { parameter, examples } of sample ? examplesOf(model, route, sample) : [])
      for (const { query } of examples) {
        assert.equal(typeof (await bodyOf(`${route.path}?${query}`)), 'object', `${route.path}?${query}`);
        parameters.add(parameter);
        count++;
      }
  }
  console.log(`${count} examples`);
  assert.equal([...parameters].join(), 'fields,populate,filters,sort,pagination,locale,publicationState');
  assert.ok(count > 300);
});
