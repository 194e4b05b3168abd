import type { CacheRegistry } from '../http/caches/cache-registry.ts';
import type { ChangeMarks } from '../http/waits/change-marks.ts';
import type { ChangeWaits } from '../http/waits/change-waits.ts';
import type { HintChannel } from '../shared/bus/hint-channel.ts';
import { hints } from '../shared/bus/topology.ts';

export interface InvalidationDependencies {
  caches: CacheRegistry;
  marketChanges: ChangeMarks;
  waits: ChangeWaits;
  publicWaits: ChangeWaits;
}

/**
 * Drops the cached data that a hint names and wakes the requests that wait for it; after a gap, all data that
 * could have changed.
 */
export function followChanges(
  hintChannel: HintChannel,
  { caches, marketChanges, waits, publicWaits }: InvalidationDependencies,
): void {
  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    caches.hear(hints.tokenChanged, mint);
    marketChanges.note(mint);
    // Only after every older entry was dropped.
    publicWaits.wake([mint]);
  });
  for (const hint of [hints.stakingChanged, hints.presaleChanged, hints.roundChanged] as const)
    hintChannel.subscribe(hint, (payload) => caches.hear(hint, payload));
  hintChannel.subscribe(hints.statusChanged, (ids) => waits.wake(ids.split(',')));
  hintChannel.onGap(() => {
    caches.hearGap();
    waits.wakeAll();
    publicWaits.wakeAll();
  });
}
