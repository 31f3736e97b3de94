// responses.mjs DOCUMENT RECORDS DIFFERENCES [FORMAT]: the recorded responses of Strapi are as the document says;
// of those, the ones that were asked for in the format, or in none.
// Entries are taken for closed, so that an attribute that the document does not know is a failure.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const [documentFile, recordsFile, differencesFile, format] = process.argv.slice(2);
const text = readFileSync(documentFile, 'utf8');
const { paths, components } = JSON.parse(text.replaceAll('#/components/schemas/', 'openapi#/$defs/'));
const records = gunzipSync(readFileSync(recordsFile)).toString().trimEnd().split('\n').map((line) => JSON.parse(line));
const different = new Set(JSON.parse(readFileSync(differencesFile, 'utf8')).map(({ id }) => id));

// Members that an entry has only in some places, which say so beside their reference to its schema.
const added = { __component: true, __type: true, isDefault: true, nb_users: true, isUrlSigned: true, locale: true };

function close(schema) {
  const { attributes } = schema.properties;
  if (schema.required.includes('attributes')) {
    attributes.additionalProperties = false;
    attributes.properties.locale ??= true;
  }
  const members = schema.required.includes('attributes') ? attributes.properties : schema.properties;
  // The example has an entry that no CMS would store.
  for (const { enum: values } of Object.values(members)) values?.push('');
  Object.assign(schema.properties, { ...added, ...schema.properties });
  schema.additionalProperties = false;
}

const ajv = new Ajv({ strict: true, allowUnionTypes: true });
addFormats(ajv);
['x-content-type', 'x-attribute'].forEach((word) => ajv.addKeyword(word));
Object.values(components.schemas).filter((schema) => schema['x-content-type']).forEach(close);
ajv.addSchema({ $id: 'openapi', $defs: components.schemas });

const bodyOf = ({ $ref, content }) =>
  ($ref ? components.responses[$ref.split('/').at(-1)].content : content)?.['application/json'].schema;
const operations = Object.entries(paths)
  .map(([path, { get }]) => ({
    pattern: new RegExp(`^${path.replace(/{\w+}/, '[^/]+')}/?$`, 'i'),
    answers: Object.fromEntries(
      Object.entries(get.responses).map(([status, response]) => [status, bodyOf(response)]),
    ),
  }))
  .sort((a, b) => a.pattern.source.includes('+') - b.pattern.source.includes('+')); // users/me before users/{id}
const validators = new Map();
const validatorOf = (schema) => validators.get(schema) ?? validators.set(schema, ajv.compile(schema)).get(schema);

// A parameter that makes another response says so in its description.
const makesAnotherResponse = (path) => /\[count\]=(t|1)/.test(path) || /homepage.*locale=all/.test(path);
// No other value of the header is one.
const formatOf = ({ requestHeaders = {} }) => ['v4'].find((name) => name === requestHeaders['Strapi-Response-Format']);

const counts = { accepted: 0, refused: 0, errors: 0, left: 0 };
for (const record of records) {
  const operation = operations.find(({ pattern }) => pattern.test(record.path.split('?')[0]));
  const isJson = record.headers['content-type']?.startsWith('application/json');
  const isMeant = record.method === 'GET' && isJson && !different.has(record.id) && formatOf(record) === format;
  if (!isMeant || !operation || makesAnotherResponse(record.path)) {
    counts.left++;
    continue;
  }
  const body = typeof record.body === 'string' ? JSON.parse(record.body) : record.body;
  const schema = operation.answers[record.status];
  const validate = schema && validatorOf(schema);
  if (validate?.(body)) {
    counts[record.status === 200 ? 'accepted' : 'errors']++;
    continue;
  }
  counts.refused++;
  console.error(record.id, record.status, record.path.slice(0, 200), JSON.stringify(validate?.errors?.[0] ?? 'no such status'));
}
console.log(counts);
const [accepted, errors] = format ? [500, 0] : [2000, 400];
if (counts.refused || counts.accepted < accepted || counts.errors < errors) process.exit(1);
