import { expect, test } from 'bun:test';
import { EndpointShares, permitsOf } from '../../relay/members/endpoint-shares.ts';

const PERMITS = 8;
const relays = Array.from({ length: 5 }, () => Bun.randomUUIDv7());
const endpoints = Array.from({ length: 500 }, () => Bun.randomUUIDv7());

function limits(self: string, view: readonly string[]): number[] {
  const shares = new EndpointShares(self, PERMITS);
  shares.divideAmong(view);
  return endpoints.map((id) => shares.limitOf(id));
}

test('each permit of an endpoint belongs to one relay', () => {
  for (const count of [1, 2, 3, 5]) {
    const view = relays.slice(0, count);
    const sums = endpoints.map((id) =>
      view.reduce((sum, relay) => sum + permitsOf(relay, view, id, PERMITS), 0),
    );
    expect(new Set(sums)).toEqual(new Set([PERMITS]));
  }
});

test('a lone relay has all permits, and one that the others do not know has none', () => {
  const [self = '', other = ''] = relays;
  expect(new Set(limits(self, [self]))).toEqual(new Set([PERMITS]));
  expect(new Set(limits(self, []))).toEqual(new Set([0]));
  expect(new Set(limits(self, [other]))).toEqual(new Set([0]));
  expect(new Set(limits(self, relays.slice(1)))).toEqual(new Set([0]));
});

test('a permit for which two relays have the same weight belongs to one of them', () => {
  const endpoint = 'endpoint';
  // Weights are 32 bits of a hash: of 300,000 relays some share theirs.
  const seen = new Map<number, string>();
  const tied: string[] = [];
  for (let count = 0; count < 300_000 && tied.length === 0; count += 1) {
    const relay = `relay-${count}`;
    const weight = Bun.hash.xxHash32(`${relay} ${endpoint} 0`);
    const twin = seen.get(weight);
    if (twin === undefined) seen.set(weight, relay);
    else tied.push(twin, relay);
  }
  expect(tied).toHaveLength(2);
  expect(tied.map((relay) => permitsOf(relay, tied, endpoint, 1)).toSorted()).toEqual([0, 1]);
});

test('two relays count no permit twice when only one of them knows a newcomer', () => {
  const [first = '', second = '', newcomer = ''] = relays;
  const knows = limits(first, [first, second, newcomer]);
  const doesNot = limits(second, [first, second]);
  const sums = endpoints.map((_, at) => (knows[at] ?? 0) + (doesNot[at] ?? 0));
  expect(Math.max(...sums)).toBeLessThanOrEqual(PERMITS);
});

test('the permits are spread: of two relays each has about half', () => {
  const [first = '', second = ''] = relays;
  const sum = limits(first, [first, second]).reduce((total, limit) => total + limit, 0);
  expect(sum / (PERMITS * endpoints.length)).toBeGreaterThan(0.45);
  expect(sum / (PERMITS * endpoints.length)).toBeLessThan(0.55);
});
