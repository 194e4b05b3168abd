import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { storeLiquidityLocks } from '../../store/liquidity-locks.ts';
import { applyTokenFacts } from '../apply-token-facts.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, Count, contentError, firstSchemaError, IntString, Timestamp } from '../shapes.ts';
import type { Checked, Verdict } from '../verdict.ts';

/** `ingest.liquidity_lock` (contract/ingest#locked-liquidity). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  poolAddress: Address,
  positionCount: Count,
  permanentlyLockedBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
  slot: IntString,
  asOf: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type LiquidityLockMessage = Static<typeof schema>;

export function checkLiquidityLock(value: unknown): Checked<LiquidityLockMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const { mintAddress, poolAddress, asOf } = value;
  const detail = contentError({ mintAddress, poolAddress }, { asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies locks of any number of tokens in one transaction; of one token the newest slot wins. */
export function applyLiquidityLocks(
  dependencies: KindDependencies,
  messages: readonly LiquidityLockMessage[],
): Promise<Verdict[]> {
  return applyTokenFacts(dependencies, messages, storeLiquidityLocks);
}
