import type { Transaction } from '../../db/client.ts';
import { lockTokens } from '../store/write-locks.ts';
import type { IngestContext } from './dependencies.ts';
import { APPLIED, applyIsolating, type Verdict, waitingFor } from './verdict.ts';

/** An observation of one token at one slot; a newer one replaces it. */
interface TokenFact {
  mintAddress: string;
  slot: string;
  asOf: string;
}

/**
 * Stores observations of known tokens in one transaction, at most one a token: the newest of the batch. `store`
 * compares it with what is stored and returns the mints that changed. Others wait for their token.
 */
export function applyTokenFacts<Fact extends TokenFact>(
  context: IngestContext,
  messages: readonly Fact[],
  store: (transaction: Transaction, facts: readonly Fact[]) => Promise<string[]>,
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const { changedMints, known } = await context.db.begin(async (transaction) => {
      const mints = [...new Set(batch.map(({ mintAddress }) => mintAddress))];
      const tokens = await lockTokens(transaction, mints);
      const newest = newestByMint(batch.filter(({ mintAddress }) => tokens.has(mintAddress)));
      return { changedMints: await store(transaction, newest), known: tokens };
    });
    context.onTokensChanged(changedMints);
    return batch.map(({ mintAddress }) =>
      known.has(mintAddress) ? APPLIED : waitingFor('unknown_token', mintAddress),
    );
  });
}

function newestByMint<Fact extends TokenFact>(facts: readonly Fact[]): Fact[] {
  const newest = new Map<string, Fact>();
  for (const fact of facts) {
    const known = newest.get(fact.mintAddress);
    if (known === undefined || isNewer(fact, known)) newest.set(fact.mintAddress, fact);
  }
  return [...newest.values()];
}

/** Later slot, then later time: the rule of the stores' SQL. */
function isNewer(fact: TokenFact, known: TokenFact): boolean {
  const slots = BigInt(fact.slot) - BigInt(known.slot);
  return slots === 0n ? Date.parse(fact.asOf) > Date.parse(known.asOf) : slots > 0n;
}
