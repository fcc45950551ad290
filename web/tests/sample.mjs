// The sample project of the stories, and what models say about it.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const FERRY = fileURLToPath(new URL('../../examples/ferry', import.meta.url));

export const QUESTION = 'Why are bookings refused when the wind is strong, and who decided the limit?';

export const THREE = ['openai/gpt-4o', 'openai/gpt-4.1', 'openai/gpt-4.1-mini'];

/** @type {Record<string, string>} */
export const ANSWERS = {
  'gpt-4o': `A crossing is cancelled when the forecast says **more than 17 m/s**, so a booking for it is refused:

\`\`\`python
if forecast.gusts > LIMIT:
    raise Refused("too much wind")
\`\`\`

The check stands in \`src/bookings.py:1-33\`. The harbour master set the limit; see docs/decisions.md:1-15.`,
  'gpt-4.1': `Two things come together:

1. **The limit.** Above 17 metres per second nothing sails (docs/decisions.md:1-15).
2. **The refusal.** Since a refund costs more than an empty seat, \`book\` refuses at once instead of cancelling later.

The harbour master decided it in March, after the gusts of the 14th.`,
  'gpt-4.1-mini': `Bookings are refused when gusts **above 17 m/s** are forecast, as docs/decisions.md:1-15 says.

> A crossing is cancelled when gusts above 17 metres per second are forecast.

The harbour master decides; the code only asks \`is_safe\` in src/weather.py:1-19.`,
};

/**
 * Puts the sample into a project, as a program would.
 * @param {import('./desk.mjs').Desk} desk
 * @returns {Promise<string>} the project's id
 */
export async function ferry(desk) {
  const project = await desk.api('POST', '/api/projects', { name: 'ferry' });
  for (const entry of await readdir(FERRY, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const body = { path: file.slice(FERRY.length + 1), content: await readFile(file, 'utf8') };
    await desk.api('POST', `/api/projects/${project.id}/files`, body);
  }
  return project.id;
}
