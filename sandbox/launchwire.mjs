#!/usr/bin/env node
// The command line of packages/client from this clone (`npx --no-install launchwire …`), on the running sandbox unless
// LAUNCHWIRE_URL names another deployment. Plain Node, as sandbox/bootstrap.mjs, which runs it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stateFile = join(process.env.SANDBOX_DIR || join(root, '.sandbox'), 'state.json');
if (!process.env.LAUNCHWIRE_URL && existsSync(stateFile)) {
  const { baseUrl, apiKey } = JSON.parse(readFileSync(stateFile, 'utf8'));
  process.env.LAUNCHWIRE_URL = baseUrl;
  process.env.LAUNCHWIRE_API_KEY ||= apiKey;
}
process.argv.splice(2, 0, join(root, 'packages', 'client', 'src', 'cli', 'main.ts'));
await import('./bootstrap.mjs');
