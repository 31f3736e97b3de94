// What Strapi 5 was recorded to answer, and the credentials that its content knows.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = process.env.RECORDED;
const records = new Map(
  gunzipSync(readFileSync(`${folder}/recorded.jsonl.gz`)).toString().trim().split('\n')
    .map((line) => JSON.parse(line))
    .map((record) => [record.id, record]),
);

// Some bodies were kept as text.
const parsed = (body) => (typeof body === 'string' ? JSON.parse(body) : body);

export const recordedBody = (id) => parsed(records.get(id).body);
export const status = (id) => records.get(id).status;

const secrets = JSON.parse(readFileSync(`${folder}/secrets.json`, 'utf8'));
export const { apiTokens, jwt } = secrets;
