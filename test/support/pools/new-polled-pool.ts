import { PolledPool } from '../../../src/indexer/pool-history/polled-pool.ts';

/** A curve that the indexer has just begun to follow. */
export function newPolledPool(): PolledPool {
  return new PolledPool(
    {
      poolAddress: 'pool',
      mintAddress: 'mint',
      decimals: 6,
      venue: 'dbc',
      isInspected: true,
      isMigrated: false,
      migration: null,
    },
    0,
  );
}
