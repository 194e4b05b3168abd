import { expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { LogFollower } from '../../src/features/streams/following/follow-log.ts';
import type { Join } from '../../src/features/streams/following/join.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../support/processes/worker-context.ts';

const joinOf = (): Join => ({
  reader: new StreamReader({
    subject: 'a reader',
    sink: { send: () => true, end: () => {} },
    transport: 'sse',
    bufferBytes: 100_000,
    stallMs: 60_000,
    onSlow: () => {},
    onConflated: () => {},
    onEnded: () => {},
  }),
  topics: [{ text: 'trades', kind: 'trades' }],
  after: null,
  greeting: null,
});

/** Lets go on what waits for nothing but promises that are settled. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

test('the log has one reader, also when following begins again while it is being stopped', async () => {
  const looks: PromiseWithResolvers<never>[] = [];
  const db = () => {
    const look = Promise.withResolvers<never>();
    looks.push(look);
    return look.promise;
  };
  const follower = new LogFollower({
    db: db as unknown as Database,
    sources: undefined as never,
    clock: systemClock,
    log: silentLog,
    onSent: () => {},
    onAttached: () => {},
    onLost: () => {},
  });
  follower.join(joinOf());
  await settled();
  expect(looks).toHaveLength(1);
  const stopped = follower.stop();
  follower.join(joinOf());
  await settled();
  expect(looks).toHaveLength(1);
  looks[0]?.reject(new Error('the database is away'));
  await stopped;
  await settled();
  expect(looks).toHaveLength(2);
  const ended = follower.stop();
  looks[1]?.reject(new Error('the database is away'));
  await ended;
});
