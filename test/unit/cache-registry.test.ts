import { describe, expect, test } from 'bun:test';
import { followChanges, type InvalidationDependencies } from '../../src/api/invalidation.ts';
import { feeApi } from '../../src/features/fees/api.ts';
import { launchApi } from '../../src/features/launches/api.ts';
import { marketApi } from '../../src/features/market/api.ts';
import { predictionApi } from '../../src/features/predictions/api.ts';
import { presaleApi } from '../../src/features/presales/api.ts';
import { stakingApi } from '../../src/features/staking/api.ts';
import { tokenApi } from '../../src/features/tokens/api.ts';
import type { CacheReader } from '../../src/http/caches/cache-reader.ts';
import { CacheRegistry } from '../../src/http/caches/cache-registry.ts';
import { createReadGates } from '../../src/http/caches/read-gates.ts';
import type { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import type { HintChannel } from '../../src/shared/bus/hint-channel.ts';
import { hints } from '../../src/shared/bus/topology.ts';
import { gather } from '../../src/shared/doors.ts';

const reader: CacheReader = { client: { name: 'someone', isKeyed: false }, freshness: 'granted' };

/** A registry whose time stands still, and the keys that a cache has. */
function registry() {
  const caches = new CacheRegistry(createReadGates());
  caches.nowMs = () => 0;
  const loaded = async (cache: SerialisedCache, ...keys: string[]) => {
    const reloaded: string[] = [];
    for (const key of keys)
      await cache.get(reader, key, async () => {
        reloaded.push(key);
        return { key };
      });
    return reloaded;
  };
  return { caches, loaded };
}

describe('a cache of a feature', () => {
  test.each([
    ['key', ['a']],
    ['ages', ['a', 'b']],
    ['all', ['a', 'b']],
  ] as const)(
    'that drops by %s loads %j again after its hint, and nothing after another',
    async (drop, again) => {
      const { caches, loaded } = registry();
      const cache = caches.open('one', {
        gate: 'reads',
        maxAgeMs: 1_000,
        entriesMax: 10,
        drops: { [hints.tokenChanged]: drop },
      });
      expect(await loaded(cache, 'a', 'b')).toEqual(['a', 'b']);
      caches.hear(hints.stakingChanged, 'a');
      expect(await loaded(cache, 'a', 'b')).toEqual([]);
      caches.hear(hints.tokenChanged, 'a');
      expect(await loaded(cache, 'a', 'b')).toEqual([...again]);
    },
  );

  test('is emptied by a gap in the hints, unless it reads the chain, and waits end', async () => {
    const { caches, loaded } = registry();
    for (const door of [tokenApi, marketApi, stakingApi, presaleApi, predictionApi, launchApi])
      door.open({ caches });
    feeApi.open({ caches } as unknown as Parameters<typeof feeApi.open>[0]);
    const names = [...caches.all.keys()];
    for (const cache of caches.all.values()) await loaded(cache, 'a');
    let followed = 0;
    const onGap = () => {
      followed += 1;
    };
    caches.follow({ hint: hints.tokenChanged, onHint: () => {}, onGap });
    const gaps: (() => void)[] = [];
    const hintChannel = { subscribe: () => {}, onGap: (heard: () => void) => void gaps.push(heard) };
    let woken = 0;
    const wakeAll = () => {
      woken += 1;
    };
    const waits = { wakeAll };
    const followers = { caches, waits, publicWaits: waits } as unknown as InvalidationDependencies;
    followChanges(hintChannel as unknown as HintChannel, followers);
    for (const heard of gaps) heard();
    expect(woken).toBe(2);
    expect(followed).toBe(1);
    const kept: string[] = [];
    for (const name of names) {
      const cache = caches.all.get(name);
      if (cache !== undefined && (await loaded(cache, 'a')).length === 0) kept.push(name);
    }
    expect(kept.sort()).toEqual([
      'chain_read.claimable',
      'chain_read.holdings',
      'chain_read.supply',
      'launch.configs',
    ]);
    expect(names).toContain('metadata.documents');
  });
});

test('two rooms that give the same name are refused at the start', () => {
  const doors = [{ open: () => ({ pools: 1 }) }, { open: () => ({ pools: 2 }) }] as const;
  expect(() => gather(doors, 'open', {})).toThrow('two doors give pools');
  expect(gather([{ open: () => ({ a: 1 }) }, {}, { open: () => ({ b: 2 }) }] as const, 'open', {})).toEqual({
    a: 1,
    b: 2,
  });
});
