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
 * Makes the cached data stale that a hint names and wakes the requests that wait for it. After a gap, and when a token
 * was hidden, no data that could have changed is served any more.
 */
export function followChanges(
  hintChannel: HintChannel,
  { caches, marketChanges, waits, publicWaits }: InvalidationDependencies,
): void {
  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    caches.hear(hints.tokenChanged, mint);
    marketChanges.note(mint);
    // Only after every older entry was dropped: who waits gets none of them.
    publicWaits.wake([mint]);
  });
  for (const hint of [hints.stakingChanged, hints.presaleChanged, hints.roundChanged] as const)
    hintChannel.subscribe(hint, (payload) => caches.hear(hint, payload));
  hintChannel.subscribe(hints.statusChanged, (ids) => waits.wake(ids.split(',')));
  hintChannel.subscribe(hints.tokensHidden, () => caches.forget());
  hintChannel.onGap(() => {
    caches.forget();
    waits.wakeAll();
    publicWaits.wakeAll();
  });
}
