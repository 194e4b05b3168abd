import { createChainRpcs } from '../../../src/chain/rpc.ts';
import type { Database } from '../../../src/db/client.ts';
import { toDistribution } from '../../../src/features/fees/record.ts';
import { upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { readChainTransaction } from '../../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../../src/indexer/decode/decode-transaction.ts';
import type { PoolLookup } from '../../../src/indexer/decode/known-pools.ts';
import { type FeeFactDependencies, recordFeeFacts } from '../../../src/indexer/fees/fee-facts.ts';
import type { FeeRefreshDependencies } from '../../../src/indexer/fees/fee-refresh.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { nominalPace } from '../chain/nominal-pace.ts';
import { type DammFixture, poolsOf } from '../pools/damm-fixtures.ts';
import { silentLog } from '../processes/worker-context.ts';
import { tokenMessage } from './ingest-stream.ts';

const outbox = createOutbox(
  { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
  systemClock,
);

/** Dependencies of the readers of fees, over these nodes. */
export function feeDependencies(
  db: Database,
  rpcUrls: readonly string[],
): FeeRefreshDependencies & FeeFactDependencies {
  return {
    db,
    outbox,
    clock: systemClock,
    log: silentLog,
    rpcs: createChainRpcs(rpcUrls),
    chainHead: { current: () => null, pace: () => nominalPace },
    describeFeeDistribution: toDistribution,
    onTokensChanged() {},
  };
}

/** Registers a token with this pool. The stored creator is wrong. */
export async function registerToken(db: Database, mintAddress: string, poolAddress: string): Promise<void> {
  const token = { ...tokenMessage(mintAddress), poolAddress, launchType: 'dbc', status: 'bonding' } as const;
  await db.begin((transaction) => upsertToken(transaction, outbox, systemClock, token));
}

/** Stores the recorded history with the readers of both pools. */
export async function recordHistory(
  dependencies: FeeFactDependencies,
  fixture: DammFixture,
  pools: PoolLookup = poolsOf(fixture),
): Promise<void> {
  const decoded = fixture.steps.map(({ transaction }) =>
    decodeTransaction(readChainTransaction(transaction), pools),
  );
  await recordFeeFacts(dependencies, decoded);
}
