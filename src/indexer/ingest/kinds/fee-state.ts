import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { storeFeeStates } from '../../store/fee-states.ts';
import { applyTokenFacts } from '../apply-token-facts.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, contentError, firstSchemaError, IntString, RawAmount, Timestamp } from '../shapes.ts';
import type { Checked, Verdict } from '../verdict.ts';

const BASIS_POINTS = 10_000;
const ShareBps = Type.Integer({ minimum: 0, maximum: BASIS_POINTS });

/** `ingest.fee_state`: shares and what has accrued (contract/staking-fees#fee-state). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  feeBps: Type.Object({ creator: ShareBps, platform: ShareBps, stakers: ShareBps }),
  accruedLamports: RawAmount,
  slot: IntString,
  asOf: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type FeeStateMessage = Static<typeof schema>;

export function checkFeeState(value: unknown): Checked<FeeStateMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const { creator, platform, stakers } = value.feeBps;
  const detail =
    contentError({ mintAddress: value.mintAddress }, { asOf: value.asOf }) ??
    (creator + platform + stakers > BASIS_POINTS ? '/feeBps Expected at most 10000 together' : null);
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies fee states of any number of tokens in one transaction; of one token the newest slot wins. */
export function applyFeeStates(
  dependencies: KindDependencies,
  messages: readonly FeeStateMessage[],
): Promise<Verdict[]> {
  // Fees are read by key holders only: no cache holds them.
  return applyTokenFacts({ ...dependencies, onTokensChanged: () => {} }, messages, storeFeeStates);
}
