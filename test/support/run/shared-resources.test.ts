import { expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { atEnd } from './cleanup.ts';
import { eventually } from './eventually.ts';
import { serveSharedResources } from './shared-resources.ts';
import { createTempDir } from './temp-dir.ts';

/** With this time nothing ends because it has no users. */
const FOREVER_MS = 3_600_000;

/** A run with a server, a file and a resource that cannot be created. */
async function startRun(lingerMs: number) {
  const counts = { made: 0, stopped: 0, files: 0 };
  const makers = {
    server: async () => {
      counts.made += 1;
      const stop = async () => {
        counts.stopped += 1;
      };
      return { value: counts.made, stop };
    },
    file: async () => {
      counts.files += 1;
      return { value: counts.files };
    },
    impossible: () => Promise.reject(new Error('no place is left')),
  };
  const run = await serveSharedResources(makers, createTempDir('shared'), {}, lingerMs);
  atEnd(() => run.stop());
  const [port] = Object.values(run.environment);
  return { counts, run, take: (name: string) => take(Number(port), name) };
}

/** Takes a resource like a test file, on a connection that this test can break. */
async function take(port: number, name: string): Promise<{ answer: unknown; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  atEnd(async () => void socket.destroy());
  const line = Promise.withResolvers<string>();
  socket.setEncoding('utf8').once('data', line.resolve);
  socket.write(`${name}\n`);
  return { answer: JSON.parse(await line.promise), socket };
}

test('files that ask at the same time get the same one, and it ends with the run', async () => {
  const { counts, run, take } = await startRun(FOREVER_MS);
  const taken = await Promise.all([take('server'), take('server'), take('server')]);
  expect(taken.map(({ answer }) => answer)).toEqual([{ value: 1 }, { value: 1 }, { value: 1 }]);
  expect(counts).toMatchObject({ made: 1, stopped: 0 });
  await run.stop();
  expect(counts).toMatchObject({ made: 1, stopped: 1 });
});

test('it ends after its last user, however that ended, and the next one gets a new one', async () => {
  const { counts, take } = await startRun(0);
  const [first, second] = [await take('server'), await take('server')];
  first.socket.destroy();
  const third = await take('server');
  expect(third.answer).toEqual({ value: 1 });
  expect(counts.stopped).toBe(0);
  second.socket.destroy();
  // The connection of a killed process ends like this.
  third.socket.resetAndDestroy();
  await eventually('the end', async () => counts.stopped === 1);
  expect((await take('server')).answer).toEqual({ value: 2 });
});

test('what does not run is kept without a user', async () => {
  const { counts, take } = await startRun(0);
  (await take('file')).socket.destroy();
  (await take('server')).socket.destroy();
  await eventually('the end of what runs', async () => counts.stopped === 1);
  expect((await take('file')).answer).toEqual({ value: 1 });
});

test('what cannot be made is reported to every file that asks, and so is what nobody makes', async () => {
  const { take } = await startRun(FOREVER_MS);
  for (const { answer } of await Promise.all([take('impossible'), take('impossible')]))
    expect(answer).toEqual({ error: 'no place is left' });
  expect((await take('nothing')).answer).toEqual({ error: 'nobody makes it' });
});
