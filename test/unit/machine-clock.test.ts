import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { Glob } from 'bun';

const root = new URL('../../', import.meta.url).pathname;
/** Calls that read the clock of the machine. */
const ASKING = /\bDate\.now\(\)|\bnew Date\(\)|\brandomUUIDv7\(\)|\bsystemClock\b/;
/** Why these files may (decision 0046): all others use the clock that they are given, which is the database's. */
const allowed: Readonly<Record<string, string>> = {
  'src/db/database-clock.ts': 'compares the two',
  'src/shared/clock.ts': 'for tests and benchmarks, whose processes share one machine',
  'src/shared/encoded-lines.ts': 'dates lines of the log, as the logger does',
  'src/shared/liveness-watchdog.ts': 'dates a line of the log, while the event loop stands',
  'src/shared/tracing/tracing.ts': 'dates spans',
  'src/http/elysia.ts': 'dates responses to HEAD, as Bun dates all others',
  'relay/relay.ts': 'a member: its id is compared with no time',
};

test('no process asks its machine for the time, save where nothing depends on it', () => {
  const asking = ['src', 'relay'].flatMap((folder) =>
    [...new Glob('**/*.ts').scanSync({ cwd: `${root}${folder}` })]
      .map((path) => `${folder}/${path}`)
      .filter((path) => ASKING.test(readFileSync(`${root}${path}`, 'utf8'))),
  );
  expect(asking.sort()).toEqual(Object.keys(allowed).sort());
});
