import { describe, expect, test } from 'bun:test';
import type { Freshness } from '../../src/http/caches/cache-reader.ts';
import { requestedFreshness } from '../../src/http/caches/cache-reader.ts';
import { SerialisedCache, type SerialisedCacheOptions } from '../../src/http/caches/serialised-cache.ts';
import { Gate, GateRefused } from '../../src/shared/gate.ts';
import { Problem } from '../../src/shared/problem.ts';

type Outcome = string | null | Error;

/** A cache whose clock and loads the test holds. */
function stage(options: Partial<SerialisedCacheOptions> = {}) {
  const state = { nowMs: 0 };
  const loads: PromiseWithResolvers<Outcome>[] = [];
  const gate = new Gate({ runningMax: 8, clientRunningMax: 8, waitingMax: 100, waitMaxMs: 60_000 });
  const cache = new SerialisedCache<string>({
    gate,
    maxAgeMs: 1_000,
    entriesMax: 10,
    nowMs: () => state.nowMs,
    ...options,
  });
  const load = async () => {
    const begun = Promise.withResolvers<Outcome>();
    loads.push(begun);
    const outcome = await begun.promise;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const readAs = (name: string, freshness: Freshness, key = 'key', isKeyed = false) => {
    const reply = cache.get({ client: { name, isKeyed }, freshness }, key, load);
    return reply instanceof Promise ? reply.then((late) => late?.text ?? null) : (reply?.text ?? null);
  };
  const read = (freshness: Freshness = 'granted') => readAs('reader', freshness);
  /** Ends the newest load. */
  const end = async (outcome: Outcome) => {
    loads.at(-1)?.resolve(outcome);
    await settle();
  };
  return { state, cache, gate, loads, read, readAs, end };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const quoted = (text: string) => JSON.stringify(text);

describe('bytes that a change has made stale', () => {
  test('are served while one reload runs, and then those that it has brought', async () => {
    const { cache, loads, read, end } = stage();
    const first = read();
    await end('old');
    expect(await first).toBe(quoted('old'));
    cache.drop('key');
    expect([read(), read(), read()]).toEqual([quoted('old'), quoted('old'), quoted('old')]);
    expect(loads).toHaveLength(2);
    await end('new');
    expect(read()).toBe(quoted('new'));
    expect(loads).toHaveLength(2);
    expect(cache).toMatchObject({ reads: 5, hits: 1, staleHits: 3, loads: 2, failedLoads: 0 });
  });

  test('stay when a second change overtakes their reload, and are as old as that change', async () => {
    const { state, cache, loads, read, end } = stage();
    void read();
    await end('1');
    state.nowMs = 500;
    cache.drop('key');
    void read();
    state.nowMs = 600;
    cache.drop('key');
    state.nowMs = 900;
    await end('2');
    expect(read()).toBe(quoted('2'));
    expect(loads).toHaveLength(3);
    state.nowMs = 1_599;
    expect(read()).toBe(quoted('2'));
    state.nowMs = 1_600;
    expect(read()).toBeInstanceOf(Promise);
    expect(loads).toHaveLength(3);
  });

  test('are not served beyond the age that is allowed for them, where that is less than that of others', async () => {
    const { state, cache, read, end } = stage({ staleMaxMs: 400 });
    void read();
    await end('old');
    state.nowMs = 500;
    expect(read()).toBe(quoted('old'));
    cache.drop('key');
    expect(read()).toBeInstanceOf(Promise);
    await end('new');
  });

  test('are not served to a read that waits: it gets a load that began after the change', async () => {
    const { cache, loads, read, end } = stage();
    void read();
    await end('old');
    cache.drop('key');
    const [waiting, other] = [read('current'), read('current')];
    expect(loads).toHaveLength(2);
    cache.drop('key');
    const later = read('current');
    expect(loads).toHaveLength(2);
    await end('new');
    expect(await Promise.all([waiting, other])).toEqual([quoted('new'), quoted('new')]);
    expect(loads).toHaveLength(3);
    await end('newest');
    expect(await later).toBe(quoted('newest'));
  });

  test('stay when their reload fails, until they are too old', async () => {
    const { state, cache, read, end } = stage();
    void read();
    await end('old');
    cache.drop('key');
    expect(read()).toBe(quoted('old'));
    await end(new Error('the database is away'));
    expect(read()).toBe(quoted('old'));
    expect(cache.failedLoads).toBe(1);
    await end(new Error('still'));
    state.nowMs = 1_000;
    const late = Promise.resolve(read()).catch((error: unknown) => error);
    await end(new Error('and now'));
    expect(await late).toEqual(new Error('and now'));
  });

  test.each([
    ['nothing', null],
    ['a problem of the record', new Problem('token_not_found')],
  ] as const)('are gone when their reload brings %s', async (_name, outcome) => {
    const { cache, loads, read, end } = stage();
    void read();
    await end('old');
    cache.drop('key');
    expect(read()).toBe(quoted('old'));
    cache.drop('key');
    await end(outcome);
    const again = read();
    expect(again).toBeInstanceOf(Promise);
    expect(loads).toHaveLength(3);
    await end('shown again');
    expect(await again).toBe(quoted('shown again'));
  });
});

test('nothing is never served stale: a record that was just made is there at the first read after its hint', async () => {
  const { cache, read, end } = stage();
  const missing = read();
  await end(null);
  expect(await missing).toBeNull();
  expect(read()).toBeNull();
  cache.drop('key');
  const made = read();
  await end('made');
  expect(await made).toBe(quoted('made'));
});

test('after a gap, or when a token was hidden, nothing is served that was loaded or is being loaded', async () => {
  const { cache, loads, read, end } = stage();
  void read();
  await end('shown');
  cache.drop('key');
  expect(read()).toBe(quoted('shown'));
  cache.clear();
  const after = read();
  expect(loads).toHaveLength(3);
  // The reload began before, and may bring what must not be shown.
  loads[1]?.resolve('shown');
  await settle();
  loads[2]?.resolve(null);
  expect(await after).toBeNull();
  expect(read()).toBeNull();
});

test('hints of all keys have an effect five times a second at most, and the last one always has', async () => {
  const { state, cache, loads, read, end } = stage();
  void read();
  await end('1');
  for (let hint = 0; hint < 10; hint += 1) {
    cache.expire();
    expect(read()).toBe(quoted('1'));
  }
  expect(loads).toHaveLength(2);
  await end('2');
  state.nowMs = 199;
  expect(read()).toBe(quoted('2'));
  expect(loads).toHaveLength(2);
  state.nowMs = 200;
  expect(read()).toBe(quoted('2'));
  expect(loads).toHaveLength(3);
  await end('3');
  state.nowMs = 900;
  expect(read()).toBe(quoted('3'));
  expect(loads).toHaveLength(3);
});

describe('reads that ask for fresh bytes', () => {
  test('share one load that began after they came', async () => {
    const { loads, read, end } = stage();
    void read();
    await end('old');
    const first = read('fresh');
    expect(loads).toHaveLength(2);
    const others = [read('fresh'), read('fresh')];
    expect(read()).toBe(quoted('old'));
    await end('2');
    expect(await first).toBe(quoted('2'));
    expect(loads).toHaveLength(3);
    expect(read()).toBe(quoted('2'));
    await end('3');
    expect(await Promise.all(others)).toEqual([quoted('3'), quoted('3')]);
    expect(loads).toHaveLength(3);
    expect(read()).toBe(quoted('3'));
  });

  test('take a quarter of the places at most, whoever asks, and with a key a quarter of their own', async () => {
    const { gate, loads, readAs } = stage();
    for (let number = 0; number < 20; number += 1)
      void readAs(`stranger ${number}`, 'fresh', `key ${number}`);
    expect(loads).toHaveLength(2);
    void readAs('another account', 'fresh', 'its key', true);
    expect(loads).toHaveLength(3);
    const others = Array.from({ length: 4 }, (_, number) => readAs('reader', 'granted', `other ${number}`));
    expect(loads).toHaveLength(7);
    expect(gate.tryTake({ name: 'account', isKeyed: true })).toBe(true);
    for (let at = 0; at < loads.length; at += 1) {
      loads[at]?.resolve('x');
      await settle();
    }
    expect(await Promise.all(others)).toHaveLength(4);
    expect(loads).toHaveLength(25);
  });

  test.each([
    ['no-cache', 'fresh'],
    ['No-Cache', 'fresh'],
    ['max-age=0', 'fresh'],
    ['only-if-cached, max-age=0', 'fresh'],
    ['max-age=0 ,no-transform', 'fresh'],
    ['max-age=1', 'granted'],
    ['max-age=01', 'granted'],
    ['x-no-cache', 'granted'],
    ['no-cached', 'granted'],
    ['', 'granted'],
  ] as const)('say so with Cache-Control: %j is %s', (header, freshness) => {
    expect(requestedFreshness(new Request('http://x', { headers: { 'cache-control': header } }))).toBe(
      freshness,
    );
  });
});

test('a cache repeats a failure that it keeps only after its age, and forgets a refusal immediately', async () => {
  let nowMs = 0;
  let loads = 0;
  const client = { name: 'reader', isKeyed: false };
  const gate = new Gate({ runningMax: 1, waitingMax: 0, waitMaxMs: 60_000 });
  const cache = new SerialisedCache({
    gate,
    maxAgeMs: 100,
    entriesMax: 10,
    nowMs: () => nowMs,
    keepsFailures: true,
  });
  const read = () =>
    Promise.try(() =>
      cache.get({ client, freshness: 'granted' }, 'wallet', async () => {
        loads += 1;
        throw new Error(`failure ${loads}`);
      }),
    );
  const blocker = Promise.withResolvers<void>();
  const blocking = gate.run(client, () => blocker.promise);
  await expect(read()).rejects.toBeInstanceOf(GateRefused);
  blocker.resolve();
  await blocking;
  await expect(read()).rejects.toThrow('failure 1');
  await expect(read()).rejects.toThrow('failure 1');
  nowMs = 100;
  await expect(read()).rejects.toThrow('failure 2');
  expect(loads).toBe(2);
});
