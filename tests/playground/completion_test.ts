// What the page offers at the caret of a URL:
//   node completion_test.mjs MODEL      the OpenAPI document of tests/data/ks
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { complete, completionAt } from '../../nginx/playground/src/completion';
import { readModel } from '../../nginx/playground/src/model';

const model = readModel(JSON.parse(readFileSync(process.argv[2], 'utf8')));

// `|` is the caret.
function offered(marked: string) {
  const caret = marked.indexOf('|');
  const text = marked.replace('|', '');
  const completion = completionAt(text, caret, model);
  const taken = completion?.candidates.map((one) => complete(text, { ...completion, candidates: [] }, one)) ?? [];
  return {
    names: completion?.candidates.map(({ name }) => name) ?? [],
    taken: taken.map(([written, at]) => `${written.slice(0, at)}|${written.slice(at)}`),
  };
}

test('what is offered first is what begins so, and goes where the caret is', () => {
  for (const [text, taken] of [
    ['/api/artic|', '/api/articles?|'],
    ['/api/artic|?fields=title', '/api/articles?|fields=title'],
    ['/api/articles?pop|', '/api/articles?populate|'],
    ['/api/articles?populate|', undefined],
    ['/api/articles?fil|', '/api/articles?filters[|'],
    ['/api/articles?fields=title&so|', '/api/articles?fields=title&sort=|'],
    ['/api/articles?fields=ti|', '/api/articles?fields=title|'],
    ['/api/articles?fields=ti|&sort=title', '/api/articles?fields=title|&sort=title'],
    ['/api/articles?fields[0]=title&fields[1]=sl|', '/api/articles?fields[0]=title&fields[1]=slug|'],
    ['/api/articles?populate=cate|', '/api/articles?populate=category|'],
    ['/api/articles?populate=category.prod|', '/api/articles?populate=category.products|'],
    ['/api/articles?populate=cover,cate|', '/api/articles?populate=cover,category|'],
    ['/api/articles?populate[cate|', '/api/articles?populate[category]|'],
    ['/api/articles?populate[cate|][fields]=name', '/api/articles?populate[category]|[fields]=name'],
    ['/api/articles?populate[category]|', '/api/articles?populate[category][fields]=|'],
    ['/api/articles?populate[category][fie|', '/api/articles?populate[category][fields]=|'],
    ['/api/articles?populate[category][filters][na|', '/api/articles?populate[category][filters][name]|'],
    ['/api/articles?populate[category][filters][name]|', '/api/articles?populate[category][filters][name][$eq]=|'],
    ['/api/articles?populate[category][sort]=na|', '/api/articles?populate[category][sort]=name|'],
    ['/api/articles?populate[category][fields]=na|', '/api/articles?populate[category][fields]=name|'],
    ['/api/articles?populate%5Bcategory%5D%5Bfields%5D=na|', '/api/articles?populate%5Bcategory%5D%5Bfields%5D=name|'],
    ['/api/articles?filters[tit|', '/api/articles?filters[title]|'],
    ['/api/articles?filters[title]|', '/api/articles?filters[title][$eq]=|'],
    ['/api/articles?filters[title][$cont|]=x', '/api/articles?filters[title][$contains]|=x'],
    ['/api/articles?filters[title][start|', '/api/articles?filters[title][$startsWith]=|'],
    ['/api/articles?filters[$or][0][category][na|', '/api/articles?filters[$or][0][category][name]|'],
    ['/api/articles?filters[$o|', '/api/articles?filters[$or][0][|'],
    ['/api/articles?sort=category.na|', '/api/articles?sort=category.name|'],
    ['/api/articles?sort=title:d|', '/api/articles?sort=title:desc|'],
    ['/api/articles?sort=title,cate|', '/api/articles?sort=title,category.|'],
    ['/api/articles?pagination[pages|', '/api/articles?pagination[pageSize]=|'],
    ['/api/articles?publicationState=p|', '/api/articles?publicationState=preview|'],
    ['/api/pages?populate[zone]|', '/api/pages?populate[zone][on][|'],
    ['/api/pages?populate[zone][on][blocks.he|', '/api/pages?populate[zone][on][blocks.hero]|'],
  ] as [string, string | undefined][])
    assert.equal(offered(text).taken[0], taken, text);
});

test('values are offered where there are few', () => {
  assert.deepEqual(offered('/api/products?filters[in_stock]=|').names, ['true', 'false']);
  assert.deepEqual(
    offered('/api/products?filters[size][$in]=|').names,
    model.types.get('api::product.product')!.attributes.get('size')!.choices,
  );
  assert.deepEqual(offered('/api/articles?filters[title]=|').names, []);
});

test('nothing is offered where nothing is known', () => {
  for (const text of ['/api/nothing?fields=|', '/api/articles?filters[nothing][|', '/api/articles?populate[nothing]|'])
    assert.deepEqual(offered(text).names, [], text);
});

test('no caret of a URL leads astray', () => {
  const url = '/api/pages?populate%5Bzone%5D[on][blocks.hero][filters][$or][0][title][$eq]=a=b&sort=a.b:desc,c&&=x&[y]';
  for (let at = 0; at <= url.length; at++)
    for (const text of offered(`${url.slice(0, at)}|${url.slice(at)}`).taken) assert.ok(text.startsWith('/api/'), text);
});
