// The types that the page makes of queries: what was recorded of Strapi is of them, to the member.
//   node types_test.mjs RECORDED MODEL COMPILER      tests/data/…/recorded.jsonl.gz, the OpenAPI document of its
//                                                    project, the folder of typescript
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { responseType } from '../../nginx/playground/src/response_type';
import { readModel, routeOf } from '../../nginx/playground/src/model';
import { readQuery } from '../../nginx/playground/src/read_query';

const [recorded, document, compiler] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(compiler);
const model = readModel(JSON.parse(readFileSync(document, 'utf8')));
const records = gunzipSync(readFileSync(recorded))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
  // A caller who may read less is answered less.
  .filter(({ method, status, auth, body }) => method === 'GET' && status === 200 && auth === 'full' && body)
  // Of an enumeration there is a row that has none of its values.
  .filter(({ path }) => !path.startsWith('/api/scalars'))
  // Some that are sorted are answered what they are sorted by, beside their fields.
  .filter(({ path }) => !/sort.*fields|fields.*sort/.test(path))
  .filter(({ path }) => !path.includes('#') && routeOf(model, path.split('?')[0]));

const source = records
  .map(({ path, body, requestHeaders }, i) => {
    const type = responseType(readQuery(path, model), model, requestHeaders?.['Strapi-Response-Format'] === 'v4');
    return `// ${path}\n${type.replace(/^export type \w+/, `type Answer${i}`)}\nexport const a${i}: Answer${i} = ${typeof body === 'string' ? body : JSON.stringify(body)};\n`;
  })
  .join('');

function complaints(text: string): string[] {
  const options = { strict: true, noEmit: true, types: [], noLib: false, target: ts.ScriptTarget.ES2022 };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name: string, ...rest: unknown[]) =>
    name === 'answers.ts' ? ts.createSourceFile(name, text, options.target) : getSourceFile(name, ...rest);
  const program = ts.createProgram(['answers.ts'], options, host);
  return ts.getPreEmitDiagnostics(program).map((one: { messageText: unknown; start: number }) => {
    const before = text.slice(0, one.start);
    const path = before.slice(before.lastIndexOf('\n// ') + 4).split('\n', 1)[0];
    return `${path}: ${ts.flattenDiagnosticMessageText(one.messageText, '\n')}`;
  });
}

test('recorded answers are of the types that are made of their questions', () => {
  const found = complaints(source);
  console.log(`${records.length} answers, ${found.length} complaints`);
  assert.deepEqual([...new Set(found)].slice(0, 20), []);
  assert.ok(records.length > 30);
});
