import { Type } from '@sinclair/typebox';
import type { Transaction } from '../../../db/client.ts';
import { holderProvenances } from '../../../db/values/holders.ts';
import { stakingPoolStatuses } from '../../../db/values/staking.ts';
import { type ObservedFeeState, storeFeeStates } from '../../store/fee-states.ts';
import { type HolderCount, storeHolderCounts } from '../../store/holder-counts.ts';
import { type LiquidityLock, storeLiquidityLocks } from '../../store/liquidity-locks.ts';
import { newestBy } from '../../store/newest-observation.ts';
import { type ObservedStakingPool, storeStakingPools } from '../../store/staking-pools.ts';
import { lockTokens } from '../../store/write-locks.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, Count, IntString, messageCheck, RawAmount, Timestamp } from '../shapes.ts';
import { APPLIED, type Verdict, waitingFor } from '../verdict.ts';

const BASIS_POINTS = 10_000;
const Share = Type.Integer({ minimum: 0, maximum: BASIS_POINTS });

/** An observation of one token at one slot. A newer one replaces it. */
const tokenFact = { mintAddress: Address, slot: IntString, asOf: Timestamp };
type TokenFact = Pick<HolderCount, keyof typeof tokenFact>;

/** `ingest.holder_count` (contract/ingest#holder-counts). */
export const checkHolderCount = messageCheck(
  Type.Object({
    ...tokenFact,
    holderCount: Count,
    provenance: Type.Union(holderProvenances.map((provenance) => Type.Literal(provenance))),
  }),
);

/** `ingest.liquidity_lock` (contract/ingest#locked-liquidity). */
export const checkLiquidityLock = messageCheck(
  Type.Object({ ...tokenFact, poolAddress: Address, positionCount: Count, permanentlyLockedBps: Share }),
);

/** `ingest.fee_state`: shares, and the accrued fees (contract/staking-fees#fee-state). */
export const checkFeeState = messageCheck(
  Type.Object({
    ...tokenFact,
    feeBps: Type.Object({ creator: Share, platform: Share, stakers: Share }),
    accruedLamports: RawAmount,
  }),
  ({ feeBps: { creator, platform, stakers } }) =>
    creator + platform + stakers > BASIS_POINTS ? '/feeBps Expected at most 10000 together' : null,
);

/** `ingest.staking_pool`: a whole snapshot (contract/staking-fees#staking-pool). */
export const checkStakingPool = messageCheck(
  Type.Object({
    ...tokenFact,
    poolAddress: Address,
    status: Type.Union(stakingPoolStatuses.map((status) => Type.Literal(status))),
    totalStakedRaw: RawAmount,
    stakerCount: Count,
    rewardRatePerSecondRaw: RawAmount,
    rewardsDistributedRaw: RawAmount,
    lockPeriodSeconds: Count,
  }),
);

export function applyHolderCounts(
  { db, onTokensChanged }: KindDependencies,
  counts: readonly HolderCount[],
): Promise<Verdict[]> {
  return applyTokenFacts(db, counts, storeHolderCounts, onTokensChanged);
}

export function applyLiquidityLocks(
  { db, onTokensChanged }: KindDependencies,
  locks: readonly LiquidityLock[],
): Promise<Verdict[]> {
  return applyTokenFacts(db, locks, storeLiquidityLocks, onTokensChanged);
}

export function applyFeeStates(
  { db }: KindDependencies,
  states: readonly ObservedFeeState[],
): Promise<Verdict[]> {
  // Only key holders read fees, so no cache holds them.
  return applyTokenFacts(db, states, storeFeeStates, () => {});
}

export function applyStakingPools(
  { db, onStakingChanged }: KindDependencies,
  pools: readonly ObservedStakingPool[],
): Promise<Verdict[]> {
  return applyTokenFacts(db, pools, storeStakingPools, onStakingChanged);
}

/**
 * Stores observations of known tokens in one transaction. For each token only the newest of the batch counts.
 * `store` compares it with the stored one and returns the mints that changed. Observations of unknown tokens
 * wait for their token.
 */
function applyTokenFacts<Fact extends TokenFact>(
  db: KindDependencies['db'],
  messages: readonly Fact[],
  store: (transaction: Transaction, facts: readonly Fact[]) => Promise<string[]>,
  onChanged: (mintAddresses: readonly string[]) => void,
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const { changedMints, known } = await db.begin(async (transaction) => {
      const mints = [...new Set(batch.map(({ mintAddress }) => mintAddress))];
      const tokens = await lockTokens(transaction, mints);
      const newest = newestBy(
        batch.filter(({ mintAddress }) => tokens.has(mintAddress)),
        ({ mintAddress }) => mintAddress,
      );
      return { changedMints: await store(transaction, newest), known: tokens };
    });
    onChanged(changedMints);
    return batch.map(({ mintAddress }) =>
      known.has(mintAddress) ? APPLIED : waitingFor('unknown_token', mintAddress),
    );
  });
}
