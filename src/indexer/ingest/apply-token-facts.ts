import type { Transaction } from '../../db/client.ts';
import { newestBy } from '../store/newest-observation.ts';
import { lockTokens } from '../store/write-locks.ts';
import { applyIsolating } from './apply-isolating.ts';
import type { KindDependencies } from './kind-dependencies.ts';
import { APPLIED, type Verdict, waitingFor } from './verdict.ts';

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
  dependencies: Pick<KindDependencies, 'db' | 'onTokensChanged'>,
  messages: readonly Fact[],
  store: (transaction: Transaction, facts: readonly Fact[]) => Promise<string[]>,
): Promise<Verdict[]> {
  return applyIsolating(messages, async (batch) => {
    const { changedMints, known } = await dependencies.db.begin(async (transaction) => {
      const mints = [...new Set(batch.map(({ mintAddress }) => mintAddress))];
      const tokens = await lockTokens(transaction, mints);
      const newest = newestBy(
        batch.filter(({ mintAddress }) => tokens.has(mintAddress)),
        ({ mintAddress }) => mintAddress,
      );
      return { changedMints: await store(transaction, newest), known: tokens };
    });
    dependencies.onTokensChanged(changedMints);
    return batch.map(({ mintAddress }) =>
      known.has(mintAddress) ? APPLIED : waitingFor('unknown_token', mintAddress),
    );
  });
}
