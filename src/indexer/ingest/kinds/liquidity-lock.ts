import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { storeLiquidityLocks } from '../../store/liquidity-locks.ts';
import { applyTokenFacts } from '../apply-token-facts.ts';
import type { IngestContext } from '../dependencies.ts';
import { Address, Count, deepMistake, firstMistake, IntString, Timestamp } from '../shapes.ts';
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
  if (!compiled.Check(value)) return { ok: false, detail: firstMistake(compiled.Errors(value)) };
  const { mintAddress, poolAddress, asOf } = value;
  const detail = deepMistake({ mintAddress, poolAddress }, { asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies locks of any number of tokens in one transaction; of one token the newest slot wins. */
export function applyLiquidityLocks(
  context: IngestContext,
  messages: readonly LiquidityLockMessage[],
): Promise<Verdict[]> {
  return applyTokenFacts(context, messages, storeLiquidityLocks);
}
