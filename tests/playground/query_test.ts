// What the page makes of URLs, and of what is ticked, without a browser:
//   node query_test.js DATA MODEL      tests/data, the OpenAPI document of tests/data/ks
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { readModel } from '../../nginx/playground/src/model';
import { findErrors, locate } from '../../nginx/playground/src/names';
import { parseQueryString, writeQueryString } from '../../nginx/playground/src/query_string';
import { readQuery } from '../../nginx/playground/src/read_query';
import { writeQuery } from '../../nginx/playground/src/write_query';

const [data, document] = process.argv.slice(2);
const vectors = readFileSync(`${data}/query-string.tsv`, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));
const recorded = gunzipSync(readFileSync(`${data}/ks/recorded.jsonl.gz`))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).path as string);
const model = readModel(JSON.parse(readFileSync(document, 'utf8')));

const through = (url: string) => writeQuery(readQuery(url, model), model);

test('query strings are read as qs reads them', () => {
  assert.ok(vectors.length > 2000);
  for (const [text, tree] of vectors) assert.equal(JSON.stringify(parseQueryString(text)), tree, text);
});

test('a tree that was read is read again from what is written of it', () => {
  // Brackets within names cannot be written.
  for (const [text] of vectors.filter(([, json]) => !/"[^"]*[[\]][^"]*":/.test(json))) {
    const tree = parseQueryString(text);
    assert.deepEqual(parseQueryString(writeQueryString(tree)), tree, text);
  }
});

test('what is written of a URL is written of itself', () => {
  for (const url of recorded) {
    const short = through(url);
    assert.equal(through(short), short, url);
  }
});

test('the shortest form is written', () => {
  for (const [url, short] of [
    ['/api/articles?fields[0]=title&fields[1]=slug', '/api/articles?fields=title&fields=slug'],
    ['/api/articles?populate[category]=true&populate[cover][populate]=', '/api/articles?populate=category,cover'],
    ['/api/articles?populate[category][populate][products]=1', '/api/articles?populate=category.products'],
    [
      '/api/articles?populate[category][fields][0]=name&populate[cover]=true',
      '/api/articles?populate[category][fields]=name&populate[cover]=1',
    ],
    [
      '/api/articles?filters[title][$eq]=a b&filters[id][$in][0]=1&filters[id][$in][1]=2',
      '/api/articles?filters[title]=a+b&filters[id]=1&filters[id]=2',
    ],
    ['/api/articles?filters[category][id][$eq]=3', '/api/articles?filters[category]=3'],
    ['/api/articles?filters[title][$null]=true', '/api/articles?filters[title][$null]=1'],
    [
      '/api/articles?filters[$and][0][title][$ne]=a&filters[$and][1][title][$ne]=b',
      '/api/articles?filters[$and][0][title][$ne]=a&filters[$and][1][title][$ne]=b',
    ],
    ['/api/articles?sort[0]=title:desc&sort[1]=id:asc', '/api/articles?sort=title:desc,id'],
    ['/api/pages?populate[zone][on][blocks.hero]=true', '/api/pages?populate[zone][on][blocks.hero]=1'],
    ['/api/articles?populate=deep,2', '/api/articles?populate=deep,2'],
    ['/api/articles?own=1&filters[0][x]=1', '/api/articles?own=1&filters[0][x]=1'],
  ])
    assert.equal(through(url), short);
});

test('wrong names are found where they stand', () => {
  for (const [url, marked, right] of [
    ['/api/articles?fields=titel', ['titel'], ['title']],
    ['/api/articles?fields[0]=title&populate[categroy][fields]=name', ['categroy'], ['category']],
    ['/api/articles?populate=category.prodcuts,cover', ['prodcuts'], ['products']],
    ['/api/articles?sort=title,category.nmae:desc', ['nmae'], ['name']],
    [
      '/api/articles?filters[$or][0][category][nmae]=x&filters[title][$contain]=y',
      ['nmae', '$contain'],
      ['name', '$contains'],
    ],
    ['/api/pages?populate%5Bzone%5D%5Bon%5D%5Bblocks.her%5D=1', ['blocks.her'], ['blocks.hero']],
    ['/api/artciles?fields=title', ['/api/artciles'], ['/api/articles']],
    ['/api/articles?fields=title&filters[category][name][$in]=title&sort=category.id', [], []],
  ] as [string, string[], string[]][]) {
    const found = locate(url, findErrors(readQuery(url, model), model));
    assert.deepEqual(
      found.map(({ start, end }) => url.slice(start, end)),
      marked,
      url,
    );
    assert.deepEqual(
      found.map(({ error }) => error.nearest),
      right,
      url,
    );
  }
});
