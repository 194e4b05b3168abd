import { describe, expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import { faultOfReplica, MeasuredReplica, type ReplicationPosition } from '../../src/db/replica.ts';
import type { Freshness } from '../../src/http/caches/cache-reader.ts';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import { Gate } from '../../src/shared/gate.ts';
import { silentLog } from '../support/processes/worker-context.ts';

const REPLICA = {} as Database;

function stage({ maxAgeMs = 1_000 } = {}) {
  const state = { nowMs: 10_000, freshThroughMs: 10_000, failures: 0, reads: [] as string[] };
  const cache = new SerialisedCache<{ from: string }>({
    gate: new Gate({ runningMax: 4, waitingMax: 4, waitMaxMs: 60_000 }),
    maxAgeMs,
    entriesMax: 10,
    nowMs: () => state.nowMs,
    replica: {
      database: REPLICA,
      freshThroughMs: () => state.freshThroughMs,
      noteFailure: () => {
        state.failures += 1;
      },
      noteRead: (source) => void state.reads.push(source),
    },
  });
  const load = async (replica: Database | null) => ({ from: replica === null ? 'primary' : 'replica' });
  // As a read that waits: an ordinary one may get what a change has made stale.
  const from = async (key: string, loadFrom: typeof load, freshness: Freshness = 'current') => {
    const { text } = await cache.requireReplicated(
      { client: { name: 'reader', isKeyed: false }, freshness },
      key,
      loadFrom,
      'token_not_found',
    );
    return (JSON.parse(text) as { from: string }).from;
  };
  return { state, cache, from, read: (key = 'a', freshness?: Freshness) => from(key, load, freshness) };
}

describe('a load', () => {
  test('comes from a replica that is at most half as old as an entry may be', async () => {
    const { state, read } = stage();
    state.freshThroughMs = 9_500;
    expect(await read('a')).toBe('replica');
    state.freshThroughMs = 9_499;
    expect(await read('b')).toBe('primary');
    state.freshThroughMs = Number.NEGATIVE_INFINITY;
    expect(await read('c')).toBe('primary');
    expect(state.reads).toEqual(['replica', 'lag', 'lag']);
  });

  test('from the replica is served no longer than its state may be old', async () => {
    const { state, read } = stage();
    state.freshThroughMs = 9_600;
    expect(await read()).toBe('replica');
    state.nowMs = 10_599;
    expect(await read()).toBe('replica');
    expect(state.reads).toHaveLength(1);
    state.nowMs = 10_600;
    expect(await read()).toBe('primary');
  });

  test('never goes back before what was shown from the primary, or announced', async () => {
    const { state, cache, read } = stage();
    state.freshThroughMs = 9_000;
    expect(await read()).toBe('primary');
    // Others take its place in the cache.
    state.freshThroughMs = 9_900;
    for (let other = 0; other < 10; other += 1) expect(await read(`other ${other}`)).toBe('replica');
    expect(await read()).toBe('primary');
    state.nowMs = 11_000;
    state.freshThroughMs = 10_900;
    expect(await read()).toBe('replica');
    cache.drop('a');
    state.nowMs = 11_100;
    expect(await read()).toBe('primary');
    expect(await read('b')).toBe('replica');
    cache.drop('a');
    state.nowMs = 11_200;
    state.freshThroughMs = 11_150;
    expect(await read()).toBe('replica');
    cache.clear();
    expect(await read('b')).toBe('primary');
    cache.expire();
    state.freshThroughMs = 11_200;
    expect(await read('c')).toBe('replica');
  });

  test('for a read that asks for fresh bytes comes from a replica only when that shows the present', async () => {
    const { state, read } = stage();
    state.freshThroughMs = 9_999;
    expect(await read('a', 'fresh')).toBe('primary');
    state.freshThroughMs = 10_000;
    expect(await read('a', 'fresh')).toBe('replica');
  });

  test('that fails at the replica is repeated at the primary; only a lost server ends its use', async () => {
    const { state, from } = stage();
    const failing = (error: Error) => async (replica: Database | null) => {
      if (replica !== null) throw error;
      return { from: 'primary' };
    };
    const cancelled = Object.assign(new Error('conflict with recovery'), { code: '40001' });
    const lost = Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' });
    expect(await from('a', failing(cancelled))).toBe('primary');
    expect(state.failures).toBe(0);
    expect(await from('b', failing(lost))).toBe('primary');
    expect(state.failures).toBe(1);
    expect(state.reads).toEqual(['failure', 'failure']);
  });
});

test('a replica is a standby of this primary, on its timeline, in its role', () => {
  const primary: ReplicationPosition = {
    isStandby: false,
    logPosition: 100n,
    timeline: 2,
    origin: '7/5',
    role: 'launchwire_api',
  };
  const replica = { ...primary, isStandby: true };
  expect(faultOfReplica(primary, replica)).toBeNull();
  expect(faultOfReplica(primary, { ...replica, isStandby: false })).toBe('not_a_standby');
  expect(faultOfReplica(primary, { ...replica, origin: '8/5' })).toBe('another_history');
  // It follows the primary that this one has replaced.
  expect(faultOfReplica(primary, { ...replica, timeline: 1, logPosition: 200n })).toBe('another_history');
  expect(faultOfReplica(primary, { ...replica, timeline: null })).toBe('another_history');
  expect(faultOfReplica(primary, { ...replica, role: 'postgres' })).toBe('wrong_role');
});

test('a replica is as fresh as the time before the primary was asked, for which its position holds', async () => {
  let nowMs = 1_000;
  const position = { isStandby: false, logPosition: 5n, timeline: 1, origin: 'one', role: 'api' };
  const serverOf = (row: ReplicationPosition, takesMs: number) =>
    (() => {
      nowMs += takesMs;
      return Promise.resolve([row]);
    }) as unknown as Database;
  const primary = serverOf(position, 300);
  const replica = new MeasuredReplica(
    { primary, replica: serverOf({ ...position, isStandby: true }, 50), log: silentLog },
    () => nowMs,
  );
  await replica.measure();
  expect([replica.fault, replica.freshThroughMs()]).toEqual([null, 1_000]);
  await replica.measure();
  expect(replica.freshThroughMs()).toBe(1_350);
});
