import { expect, test } from 'bun:test';
import { accountClient, Gate, GateRefused } from '../../src/shared/gate.ts';
import { GatedLoads } from '../../src/shared/gated-loads.ts';

const flood = { name: 'flood', isKeyed: false };

/** A full gate, and the loads of a key that were begun. */
function stage() {
  const gate = new Gate({ runningMax: 2, waitingMax: 8, waitMaxMs: 60_000 });
  const loads = new GatedLoads<string>();
  const begun: string[] = [];
  const hold = Promise.withResolvers<void>();
  const load = (key: string, client = flood) =>
    loads.run(key, gate.of(client), async () => {
      begun.push(`${key} for ${client.name}`);
      await hold.promise;
      return key;
    });
  return { gate, begun, load, end: () => hold.resolve() };
}

test('a load that waits behind other work of its client is begun by the first that has a turn, for all', async () => {
  const { gate, begun, load, end } = stage();
  const all = ['a', 'b', 'c', 'd'].map((key) => load(key));
  expect(begun).toEqual(['a for flood']);
  const own = accountClient('own');
  const joined = load('d', own);
  expect(begun).toEqual(['a for flood', 'd for own']);
  // It has left the queue of the other client, which it no longer needs.
  end();
  expect(await joined).toBe('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  expect(begun.filter((entry) => entry.startsWith('d'))).toEqual(['d for own']);
  for (const place of [own, flood]) expect(gate.tryTake(place)).toBe(true);
});

test('a load that has begun is joined without a place, and clients that wait for one load share it', async () => {
  const { gate, begun, load, end } = stage();
  const others = [accountClient('x'), accountClient('y')];
  for (const client of others) expect(gate.tryTake(client)).toBe(true);
  const waiting = [...others, flood, flood].map((client) => load('a', client));
  expect(begun).toEqual([]);
  for (const client of others) gate.release(client);
  expect(begun).toEqual(['a for x']);
  waiting.push(load('a', flood));
  end();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['a']));
  expect(begun).toHaveLength(1);
});

test('a refusal concerns its client alone', async () => {
  const gate = new Gate({ runningMax: 1, waitingMax: 1, waitMaxMs: 60_000 });
  const loads = new GatedLoads<string>();
  const holder = accountClient('holder');
  expect(gate.tryTake(holder)).toBe(true);
  const first = loads.run('a', gate.of(accountClient('x')), async () => 'a');
  const second = loads.run('a', gate.of(accountClient('y')), async () => 'a');
  await expect(second).rejects.toBeInstanceOf(GateRefused);
  gate.release(holder);
  expect(await first).toBe('a');
  expect(await loads.run('a', gate.of(accountClient('y')), async () => 'again')).toBe('again');
});
