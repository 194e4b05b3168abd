import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { eventually } from '../support/run/eventually.ts';
import { processesWithVariable } from '../support/run/leaked-processes.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { spawnBun } from '../support/sandbox/sandbox-process.ts';

/** The run, its case, Postgres with its background processes, and NATS. */
const SERVERS_ARE_UP = 8;

/** Starts a command and waits until a program uses its servers. TMPDIR identifies its processes and
 * folders. */
async function startOnServers(args: readonly string[], program: string) {
  const folder = createTempDir('bench-stop');
  const run = spawnBun(args, { TMPDIR: folder });
  const processes = () => processesWithVariable('TMPDIR', folder);
  await eventually(
    'the servers are up',
    async () =>
      processes().length >= SERVERS_ARE_UP && processes().some(({ command }) => command.includes(program)),
  );
  const untilGone = () => eventually('no process is left', async () => processes().length === 0);
  return { run, untilGone, leftFolders: () => readdirSync(folder) };
}

/** Two cases, which share a Postgres, with more rounds than the test waits for. */
const startCase = () =>
  startOnServers(
    [
      'bench/run.ts',
      'http/get-token',
      'http/candles',
      '--quick',
      '--rounds',
      '10000',
      '--out',
      createTempDir('out'),
    ],
    // Only root sees the variables of the api, which hides its memory.
    'bench/servers/bare-reply.ts',
  );

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`a bench run that gets ${signal} ends everything that its case has started, and then itself`, async () => {
    const { run, untilGone, leftFolders } = await startCase();
    expect(await run.stop(signal)).toMatchObject({ code });
    await untilGone();
    expect(leftFolders()).toEqual([]);
  });
}

test('a bench run that is killed with SIGKILL leaves no process behind', async () => {
  const { run, untilGone } = await startCase();
  await run.stop('SIGKILL');
  await untilGone();
});
