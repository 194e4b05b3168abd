import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { drawHeldOut } from '../../src/intents/send/hold-out.ts';

interface Address {
  name: string;
  isSendOnly: boolean;
}

const node = (name: string): Address => ({ name, isSendOnly: false });
const service = (name: string): Address => ({ name, isSendOnly: true });
const ALL = [node('one'), node('two'), service('fast'), service('slow')];
const ids = Array.from({ length: 20_000 }, () => Bun.randomUUIDv7());

/** How many of the intents each address is held out of. */
function draws(addresses: readonly Address[], percent: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const id of ids) {
    const name = drawHeldOut(id, addresses, percent)?.name ?? 'none';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Within six standard deviations of the expected number. */
function expectShare(count: number | undefined, share: number): void {
  const expected = ids.length * share;
  expect(Math.abs((count ?? 0) - expected)).toBeLessThan(6 * Math.sqrt(expected * (1 - share)) + 1);
}

describe('an address is held out', () => {
  test('of no intent by default, and of every one at 100 percent', () => {
    expect(draws(ALL, 0)).toEqual({ none: ids.length });
    expect(draws(ALL, 100).none).toBeUndefined();
  });

  test('of the share that the operator sets, each address alike', () => {
    const counts = draws(ALL, 20);
    expectShare(counts.none, 0.8);
    for (const { name } of ALL) expectShare(counts[name], 0.05);
  });

  test('whatever the order of the addresses, so that api and worker draw alike', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), fc.shuffledSubarray(ALL, { minLength: 4 }), (id, shuffled) => {
        expect(drawHeldOut(id, shuffled, 100)?.name).toBe(drawHeldOut(id, ALL, 100)?.name);
      }),
    );
  });

  test('never the last one', () => {
    expect(draws([node('one')], 100)).toEqual({ none: ids.length });
    expect(draws([service('fast')], 100)).toEqual({ none: ids.length });
    expect(draws([], 100)).toEqual({ none: ids.length });
  });

  test('never the last node, because a landing service may drop what pays it nothing', () => {
    const counts = draws([node('one'), service('fast'), service('slow')], 100);
    expect(counts.one).toBeUndefined();
    expectShare(counts.fast, 0.5);
    expect(draws([node('one'), service('fast')], 100)).toEqual({ fast: ids.length });
  });

  test('among landing services alone, as a protected intent is sent', () => {
    expectShare(draws([service('fast'), service('slow')], 100).fast, 0.5);
  });
});
