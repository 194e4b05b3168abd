import { AccountStates } from '../../../src/indexer/pool-history/account-states.ts';
import type { IndexedPool } from '../../../src/indexer/pool-history/list-pools.ts';
import { PolledPool, type PolledPoolParts } from '../../../src/indexer/pool-history/polled-pool.ts';
import { RequestPriority } from '../../../src/indexer/pool-history/request-priority.ts';

const CURVE: IndexedPool = {
  poolAddress: 'pool',
  mintAddress: 'mint',
  decimals: 6,
  venue: 'dbc',
  isInspected: true,
  isMigrated: false,
  migration: null,
};

const nothingNew = { isWalking: false, cursorSlot: null, step: async () => 'idle' as const };

/** A pool that the indexer has just begun to follow: a curve, unless another is given. */
export function newPolledPool(
  reader: PolledPoolParts['reader'] = nothingNew,
  pool: IndexedPool = CURVE,
  nowMs = 0,
): PolledPool {
  const states = new AccountStates();
  return new PolledPool({ pool, states, priority: new RequestPriority(states), reader }, nowMs);
}
