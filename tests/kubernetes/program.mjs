// program.mjs FILE: writes a TypeScript program that makes the manifests of a file and validates them. The compiler
// refuses fields that do not exist.
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

for (const document of parseAllDocuments(readFileSync(process.argv[2], 'utf8'))) {
  const { apiVersion, kind, ...fields } = document.toJS();
  console.log(`import { ${kind} } from 'kubernetes-models/${apiVersion}';`);
  console.log(`new ${kind}(${JSON.stringify(fields)}).validate();`);
}
