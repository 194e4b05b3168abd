import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { stakingPoolStatuses } from '../../../db/schema/staking.ts';
import { storeStakingPools } from '../../store/staking-pools.ts';
import { applyTokenFacts } from '../apply-token-facts.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import {
  Address,
  Count,
  contentError,
  firstSchemaError,
  IntString,
  RawAmount,
  Timestamp,
} from '../shapes.ts';
import type { Checked, Verdict } from '../verdict.ts';

/** `ingest.staking_pool`: a whole snapshot (contract/staking-fees#staking-pool). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  poolAddress: Address,
  status: Type.Union(stakingPoolStatuses.map((status) => Type.Literal(status))),
  totalStakedRaw: RawAmount,
  stakerCount: Count,
  rewardRatePerSecondRaw: RawAmount,
  rewardsDistributedRaw: RawAmount,
  lockPeriodSeconds: Count,
  slot: IntString,
  asOf: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type StakingPoolMessage = Static<typeof schema>;

export function checkStakingPool(value: unknown): Checked<StakingPoolMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const { mintAddress, poolAddress, asOf } = value;
  const detail = contentError({ mintAddress, poolAddress }, { asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies pools of any number of tokens in one transaction; of one token the newest slot wins. */
export function applyStakingPools(
  dependencies: KindDependencies,
  messages: readonly StakingPoolMessage[],
): Promise<Verdict[]> {
  const { onStakingChanged } = dependencies;
  return applyTokenFacts({ ...dependencies, onTokensChanged: onStakingChanged }, messages, storeStakingPools);
}
