// Writes src/api/schema.d.ts from the server's OpenAPI document; with --check, only tells whether
// it is current.
import { readFile, writeFile } from 'node:fs/promises';
import openapi, { astToString } from 'openapi-typescript';

const source = new URL('../../crates/server/openapi.json', import.meta.url);
const target = new URL('../src/api/schema.d.ts', import.meta.url);

const head = '// Generated from crates/server/openapi.json by `npm run types`.\n\n';
const types = head + astToString(await openapi(source));

if (process.argv.includes('--check')) {
  const known = await readFile(target, 'utf8').catch(() => '');
  if (known !== types) {
    console.error('web/src/api/schema.d.ts is not current: npm run types');
    process.exit(1);
  }
} else {
  await writeFile(target, types);
}
