import { Type } from '@sinclair/typebox';
import { type ObservedPosition, storeStakingPositions } from '../../store/staking-positions.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, IntString, messageCheck, nullable, RawAmount, Timestamp } from '../shapes.ts';
import { APPLIED, type Verdict, waitingFor } from '../verdict.ts';

/**
 * `ingest.staking_position`: a whole snapshot. A `stakedRaw` of 0 is a closed position
 * (contract/staking-fees#owned-positions).
 */
const schema = Type.Object({
  positionAddress: Address,
  mintAddress: Address,
  walletAddress: Address,
  stakedRaw: RawAmount,
  pendingRewardsRaw: RawAmount,
  claimedRewardsRaw: RawAmount,
  stakedAt: Timestamp,
  unlocksAt: Type.Optional(nullable(Timestamp)),
  slot: IntString,
  asOf: Timestamp,
});

export const checkStakingPosition = messageCheck(schema);

/** Applies positions of several tokens in one transaction. For one position the newest slot counts. */
export function applyStakingPositions(
  dependencies: KindDependencies,
  messages: readonly ObservedPosition[],
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const stored = await dependencies.db.begin((transaction) => storeStakingPositions(transaction, batch));
    dependencies.onStakingChanged(stored.changedMints);
    return batch.map((message) => {
      const { mintAddress, positionAddress } = message;
      if (stored.unknownMints.has(mintAddress)) return waitingFor('unknown_token', mintAddress);
      if (!stored.foreign.has(message)) return APPLIED;
      return { outcome: 'rejected', reason: 'position_owner_changed', detail: positionAddress };
    });
  });
}
