// requests.mjs DOCUMENT PROGRAM TOKEN: whatever the document says can be asked is answered, by a
// program that is strict: it refuses names and options that would have no effect.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import qs from 'qs';

const [documentFile, program, token] = process.argv.slice(2);
const { paths, components } = JSON.parse(readFileSync(documentFile, 'utf8'));

const resolve = (value) => (value.$ref ? resolve(components[value.$ref.split('/')[2]][value.$ref.split('/')[3]]) : value);

// One value that the schema allows.
function one(schema) {
  const { const: only, enum: values, examples, anyOf, type, format, pattern, properties, items, minItems } = resolve(schema);
  if (only) return only;
  if (values) return values[0];
  if (examples) return examples[0];
  if (anyOf) return one(anyOf[0]);
  if (properties) {
    const name = 'id' in properties ? 'id' : Object.keys(properties)[0];
    return name ? { [name]: one(properties[name]) } : {};
  }
  if (type === 'object') return {};
  if (pattern) return '1'; // all of them are of digits
  if (items) return Array(minItems ?? 1).fill(one(items));
  if (type === 'null') return null;
  return { boolean: true, integer: 1, number: 1.5 }[type] ?? (format === 'date' ? '2024-02-03' : 'a');
}

// Values that together use every alternative, and every name `depth` levels of objects down; the
// attributes of related entries are looked at where they are entries themselves.
function* each(schema, depth) {
  const { anyOf, enum: values, properties, items } = resolve(schema);
  if (schema.not) {
    const refused = schema.not.anyOf.flatMap((alternative) => alternative.required);
    for (const value of each({ ...schema, not: undefined }, depth))
      if (!refused.some((name) => name in Object(value))) yield value;
  } else if (anyOf) for (const alternative of anyOf) yield* each(alternative, depth);
  else if (values) yield* values;
  else if (properties && depth > (properties.$and ? 1 : 0))
    for (const [name, member] of Object.entries(properties))
      for (const value of each(member, depth - 1)) yield { [name]: value };
  else if (items?.$ref && resolve(items).enum) yield [...each(items, depth)];
  else yield one(schema);
}

// Objects that have no name in common become one, to ask less often.
function merge(values) {
  const merged = [];
  for (const value of values) {
    const into = typeof value === 'object' && !Array.isArray(value) && value &&
      merged.find((other) => typeof other === 'object' && !Array.isArray(other) && Object.keys(value).every((name) => !(name in other)));
    if (into) Object.assign(into, value);
    else merged.push(value);
  }
  return merged;
}

// Alternatives, so that most entries remain.
const inGroups = (values, size) =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => ({ $or: values.slice(i * size, (i + 1) * size) }));

function valuesOf({ name, in: place, schema, description }) {
  if (place === 'path') return [];
  // Of one entry, a language alone.
  if (name === 'locale' && schema.type) return ['en'];
  if (name === 'locale') return [description.match(/`(.*?)`/)[1], ['en', 'fr'], { $ne: 'en' }];
  const values = [...each(schema, 2)];
  if (name === 'pagination') return values;
  return name === 'filters' ? inGroups(values, 40) : merge(values);
}

const urls = new Map(); // by what is asked, since several routes ask the same of a type
for (const [path, { get }] of Object.entries(paths)) {
  if (!get['x-permission'] || get.operationId === 'me') continue;
  const asked = path.replace(/{\w+}/, '1');
  const mayBeMissing = '404' in get.responses;
  urls.set(asked, { url: asked, mayBeMissing });
  for (const parameter of get.parameters.map(resolve))
    for (const value of valuesOf(parameter)) {
      const query = qs.stringify({ [parameter.name]: value }, { encodeValuesOnly: true, strictNullHandling: true });
      urls.set(get['x-content-type'] + query, { url: `${asked}?${query}`, mayBeMissing });
    }
}

let failures = 0;
const run = promisify(execFile);
async function ask({ url, mayBeMissing }) {
  await run(program, ['get', url, '--bearer', token, '--strict', 'true'], { maxBuffer: 1e9 }).catch(({ stdout, stderr }) => {
    if (mayBeMissing && stderr.startsWith('404')) return;
    failures++;
    console.error(`${decodeURIComponent(url).slice(0, 300)}\n  ${stdout.slice(0, 300)}`);
  });
}
const waiting = urls.values();
await Promise.all([1, 2].map(async () => { for (const url of waiting) await ask(url); }));
console.log(`${urls.size} questions, ${failures} failures`);
if (failures || urls.size < 200) process.exit(1);
