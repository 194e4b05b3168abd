import { createTokenHolderSources } from '../../../src/chain/holdings/mint-holders.ts';
import type { Database } from '../../../src/db/client.ts';
import { findHolderStats } from '../../../src/features/market/find-holder-stats.ts';
import { type ReportedToken, upsertToken } from '../../../src/features/tokens/upsert-token.ts';
import { applyBalances, type BalanceTransaction } from '../../../src/indexer/holders/apply-balances.ts';
import {
  addTokens,
  type CountOutcome,
  countNext,
  type HolderCountDependencies,
} from '../../../src/indexer/holders/count-holders.ts';
import { createOutbox } from '../../../src/outbox/append.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { Problem } from '../../../src/shared/problem.ts';
import { nominalPace } from '../chain/nominal-pace.ts';
import { silentLog } from '../processes/worker-context.ts';

const outbox = createOutbox(
  { source: 'https://api.test/api/v2', docsUrl: 'https://api.test/docs' },
  systemClock,
);

export async function knowMint(db: Database, mintAddress: string, poolAddress?: string): Promise<void> {
  const token: ReportedToken = {
    mintAddress,
    creatorWallet: mintAddress,
    name: 'Wire',
    symbol: 'WIRE',
    decimals: 6,
    totalSupply: '1000',
    launchType: 'dbc',
    status: 'bonding',
    ...(poolAddress === undefined ? {} : { poolAddress }),
  };
  await db.begin((transaction) => upsertToken(transaction, outbox, systemClock, token));
}

/** A counter over these nodes. `changed` collects its hints. */
export function holderCounter(
  db: Database,
  urls: readonly string[],
  options: Partial<HolderCountDependencies> = {},
) {
  const changed: string[] = [];
  const dependencies: HolderCountDependencies = {
    db,
    sources: createTokenHolderSources(urls),
    chainHead: { current: () => null, pace: () => nominalPace },
    clock: systemClock,
    log: silentLog,
    signal: new AbortController().signal,
    onTokensChanged: (mints) => changed.push(...mints),
    ...options,
  };
  return {
    changed,
    dependencies,
    /** Counts the token that is due. */
    async count(): Promise<CountOutcome | null> {
      await addTokens(dependencies);
      return countNext(dependencies);
    },
    apply: (...transactions: BalanceTransaction[]) => applyBalances(dependencies, { transactions }),
  };
}

/** Makes all tokens due. */
export async function makeDue(db: Database): Promise<void> {
  await db`update holder_counting set next_snapshot_at = now() - interval '1 second'`;
}

/** The holders as the api returns them; null while it has no count. */
export async function holdersOf(db: Database, mint: string) {
  try {
    return await findHolderStats(db, mint);
  } catch (error) {
    if (error instanceof Problem && error.code === 'holder_stats_not_found') return null;
    throw error;
  }
}
