// Compresses what vite has built, so that the server need not.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const built = fileURLToPath(new URL('../dist', import.meta.url));
const compressible = /\.(html|js|css|svg)$/;

for (const name of await readdir(built, { recursive: true })) {
  if (!compressible.test(name)) continue;
  const path = join(built, name);
  await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }));
}
