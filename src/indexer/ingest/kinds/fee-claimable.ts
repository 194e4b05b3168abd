import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { storeFeeClaimables } from '../../store/fee-claimables.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, contentError, firstSchemaError, IntString, RawAmount, Timestamp } from '../shapes.ts';
import { APPLIED, type Checked, type Verdict, waitingFor } from '../verdict.ts';

/** `ingest.fee_claimable`: what a wallet can claim of a token's fees (contract/staking-fees#fee-state). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddress: Address,
  walletAddress: Address,
  claimableLamports: RawAmount,
  slot: IntString,
  asOf: Timestamp,
});
const compiled = TypeCompiler.Compile(schema);

type FeeClaimableMessage = Static<typeof schema>;

export function checkFeeClaimable(value: unknown): Checked<FeeClaimableMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const { mintAddress, walletAddress, asOf } = value;
  const detail = contentError({ mintAddress, walletAddress }, { asOf });
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies claims of any number of wallets in one transaction; of one wallet and token the newest slot wins. */
export function applyFeeClaimables(
  dependencies: KindDependencies,
  messages: readonly FeeClaimableMessage[],
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const unknownMints = await dependencies.db.begin((transaction) => storeFeeClaimables(transaction, batch));
    return batch.map(({ mintAddress }) =>
      unknownMints.has(mintAddress) ? waitingFor('unknown_token', mintAddress) : APPLIED,
    );
  });
}
