#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { run } from './run.ts';
import { settingsOf } from './settings.ts';

const manifest = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
const stopping = new AbortController();
// A second Ctrl-C ends the process in the usual way.
process.once('SIGINT', () => stopping.abort());
process.once('SIGTERM', () => stopping.abort());
// The reader of the output may stop early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), {
  settings: settingsOf(),
  version,
  out: process.stdout,
  err: process.stderr,
  stopping,
});
