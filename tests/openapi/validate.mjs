// validate.mjs DOCUMENT: it is an OpenAPI document.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

const { valid, errors } = await new Validator().validate(JSON.parse(readFileSync(process.argv[2], 'utf8')));
if (!valid) {
  console.error(JSON.stringify(errors, null, 2));
  process.exit(1);
}
