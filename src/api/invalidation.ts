import type { TradingCaches } from '../features/trading/pool-snapshots.ts';
import type { ChangeMarks } from '../http/waits/change-marks.ts';
import type { ChangeWaits } from '../http/waits/change-waits.ts';
import { hints } from '../shared/bus/topology.ts';
import type { HintChannel } from './hint-channel.ts';
import type { ReadCaches } from './read-caches.ts';

export interface InvalidationDependencies {
  readCaches: ReadCaches;
  tradingCaches: TradingCaches;
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
  { readCaches, tradingCaches, marketChanges, waits, publicWaits }: InvalidationDependencies,
): void {
  const { tokenCaches, marketCaches, statsCaches, traderCaches, chainReadCaches } = readCaches;
  const { stakingCaches, presaleCaches, predictionCaches } = readCaches;
  hintChannel.subscribe(hints.tokenChanged, (mint) => {
    tradingCaches.tokens.drop(mint);
    tradingCaches.snapshots.drop(mint);
    tokenCaches.tokens.drop(mint);
    tokenCaches.lists.expire();
    marketCaches.snapshots.drop(mint);
    marketCaches.trades.drop(mint);
    marketCaches.holders.drop(mint);
    statsCaches.tokens.drop(mint);
    traderCaches.topTraders.drop(mint);
    chainReadCaches.supply.drop(mint);
    readCaches.metadataDocuments.drop(mint);
    marketChanges.note(mint);
    // Only after every older entry was dropped.
    publicWaits.wake([mint]);
  });
  hintChannel.subscribe(hints.stakingChanged, (mint) => {
    for (const cache of Object.values(stakingCaches)) cache.drop(mint);
  });
  hintChannel.subscribe(hints.presaleChanged, (id) => {
    presaleCaches.presales.drop(id);
    presaleCaches.lists.expire();
  });
  hintChannel.subscribe(hints.roundChanged, () => {
    for (const cache of Object.values(predictionCaches)) cache.clear();
  });
  hintChannel.subscribe(hints.statusChanged, (ids) => waits.wake(ids.split(',')));
  hintChannel.onGap(() => {
    for (const caches of [
      predictionCaches,
      stakingCaches,
      presaleCaches,
      tokenCaches,
      marketCaches,
      statsCaches,
      traderCaches,
    ])
      for (const cache of Object.values(caches)) cache.clear();
    tradingCaches.tokens.clear();
    waits.wakeAll();
    publicWaits.wakeAll();
  });
}
