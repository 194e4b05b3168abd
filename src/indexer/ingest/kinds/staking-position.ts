import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { storeStakingPositions } from '../../store/staking-positions.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import {
  Address,
  contentError,
  firstSchemaError,
  IntString,
  nullable,
  RawAmount,
  Timestamp,
} from '../shapes.ts';
import { APPLIED, type Checked, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.staking_position`: a whole snapshot; `stakedRaw` 0 is a closed position (contract/staking-fees#owned-positions). Unknown fields are ignored. */
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
const compiled = TypeCompiler.Compile(schema);

type StakingPositionMessage = Static<typeof schema>;

export function checkStakingPosition(value: unknown): Checked<StakingPositionMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const { positionAddress, mintAddress, walletAddress, stakedAt, unlocksAt, asOf } = value;
  const detail = contentError({ positionAddress, mintAddress, walletAddress }, { stakedAt, unlocksAt, asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies positions of any number of tokens in one transaction; of one position the newest slot wins. */
export function applyStakingPositions(
  dependencies: KindDependencies,
  messages: readonly StakingPositionMessage[],
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
