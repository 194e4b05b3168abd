import { type Static, Type } from '@sinclair/typebox';
import type { KindDependencies } from '../kind-dependencies.ts';
import { Address, addressError, IntString, messageCheck, Timestamp } from '../shapes.ts';
import { APPLIED, type Verdict } from '../verdict.ts';
import type { WaitingProofs } from '../waiting-proofs.ts';

/** Limit of tokens in one message. */
export const PROVEN_TOKENS_MAX = 1_000;
/** How far a chain's clock may be ahead of ours. A proof further ahead would block every later one. */
export const AHEAD_MAX_MS = 60_000;

/** `ingest.source_proof` (contract/ingest#source-proofs). */
const schema = Type.Object({
  mintAddresses: Type.Array(Address, { minItems: 1, maxItems: PROVEN_TOKENS_MAX }),
  /** Every trade of these tokens with an earlier block time was published before this message. */
  through: Timestamp,
  slot: IntString,
});

export type SourceProofMessage = Static<typeof schema>;

export const checkSourceProof = messageCheck(schema, ({ mintAddresses }) =>
  mintAddresses.reduce(
    (first: string | null, mint, at) => first ?? addressError(`mintAddresses/${at}`, mint),
    null,
  ),
);

/**
 * Takes proofs, which are stored once everything before them is settled. A mint without a token is rejected,
 * but the other mints of the message count.
 */
export async function applySourceProofs(
  { db, clock, waitingProofs }: Pick<KindDependencies, 'db' | 'clock'> & { waitingProofs: WaitingProofs },
  messages: readonly SourceProofMessage[],
  sequence: readonly number[],
): Promise<Verdict[]> {
  if (messages.length === 0) return [];
  const latestMs = clock.now().getTime() + AHEAD_MAX_MS;
  const mints = [...new Set(messages.flatMap(({ mintAddresses }) => mintAddresses))];
  const rows = await db<{ mintAddress: string }[]>`
    select mint_address from tokens where mint_address = any(${mints})`;
  const known = new Set(rows.map(({ mintAddress }) => mintAddress));
  return messages.map((message, at) => {
    if (Date.parse(message.through) > latestMs)
      return { outcome: 'rejected', reason: 'proof_in_future', detail: message.through };
    if (!waitingProofs.add(sequence[at] ?? 0, message))
      return { outcome: 'rejected', reason: 'unsettled_before', detail: 'too many proofs wait' };
    // The proof does not wait for the token, because the next proof replaces it.
    const detail = message.mintAddresses.find((mint) => !known.has(mint));
    return detail === undefined ? APPLIED : { outcome: 'rejected', reason: 'unknown_token', detail };
  });
}
