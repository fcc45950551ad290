// Writes package-lock.json anew, without the addresses it was made from: whoever installs has a
// registry of their own.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package-lock.json', import.meta.url);
const flags = ['install', '--package-lock-only', '--omit-lockfile-registry-resolved=false'];
execFileSync('npm', flags, { stdio: 'inherit' });
const lock = JSON.parse(readFileSync(path, 'utf8'));
for (const entry of Object.values(lock.packages)) delete entry.resolved;
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
