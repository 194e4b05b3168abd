import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { newestProofs, storeSourceProofs } from '../../store/source-proofs.ts';
import { applyIsolating } from '../apply-isolating.ts';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, contentError, firstSchemaError, IntString, Timestamp } from '../shapes.ts';
import { APPLIED, type Checked, type Verdict } from '../verdict.ts';

/** Tokens of one message. */
export const PROVEN_TOKENS_MAX = 1_000;
/** How far a chain's clock may be ahead of ours; a proof from further in the future would keep out every later one. */
export const AHEAD_MAX_MS = 60_000;

/** `ingest.source_proof` (contract/ingest#source-proofs). Unknown fields are ignored. */
const schema = Type.Object({
  mintAddresses: Type.Array(Address, { minItems: 1, maxItems: PROVEN_TOKENS_MAX }),
  /** Every trade of these tokens with an earlier block time was published before this message. */
  through: Timestamp,
  slot: IntString,
});
const compiled = TypeCompiler.Compile(schema);

export type SourceProofMessage = Static<typeof schema>;

export function checkSourceProof(value: unknown): Checked<SourceProofMessage> {
  if (!compiled.Check(value)) return { ok: false, detail: firstSchemaError(compiled.Errors(value)) };
  const { mintAddresses, through } = value;
  const detail = contentError(
    Object.fromEntries(mintAddresses.map((mint, at) => [`mintAddresses/${at}`, mint])),
    { through },
  );
  return detail === null ? { ok: true, message: value } : { ok: false, detail };
}

/** Applies proofs of any number of tokens in one transaction; of one token the latest time wins. */
export async function applySourceProofs(
  dependencies: Pick<KindDependencies, 'db' | 'clock'>,
  messages: readonly SourceProofMessage[],
): Promise<Verdict[]> {
  const latest = dependencies.clock.now().getTime() + AHEAD_MAX_MS;
  const possible = messages.filter(({ through }) => Date.parse(through) <= latest);
  const verdicts = await applyIsolating(possible, async (batch) => {
    const unknown = await dependencies.db.begin((transaction) =>
      storeSourceProofs(transaction, newestProofs(batch)),
    );
    return batch.map(({ mintAddresses }) => {
      const detail = mintAddresses.find((mint) => unknown.has(mint));
      // It does not wait for the token: the next proof says more.
      return detail === undefined ? APPLIED : { outcome: 'rejected', reason: 'unknown_token', detail };
    });
  });
  const verdictOf = new Map(possible.map((message, at) => [message, verdicts[at]]));
  return messages.map(
    (message) =>
      verdictOf.get(message) ?? { outcome: 'rejected', reason: 'proof_in_future', detail: message.through },
  );
}
