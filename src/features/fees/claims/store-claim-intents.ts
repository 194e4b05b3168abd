import { WRAPPED_SOL_MINT } from '../../../chain/accounts/programs.ts';
import type { Transaction } from '../../../db/client.ts';
import type { IntentKeeper } from '../../../intents/composed-intent.ts';
import type { PreparedClaims } from './prepare-claims.ts';
import { toPreparedClaim } from './record.ts';

/** Stores the intents and what each of them claims, in the caller's transaction. */
export async function storeClaimIntents(
  transaction: Transaction,
  { intents, shown }: PreparedClaims,
  accountId: string,
  intentKeeper: Pick<IntentKeeper, 'store'>,
): Promise<void> {
  for (const { intent, claims } of intents) {
    await intentKeeper.store(transaction, intent);
    const inSol = claims.filter(({ quote }) => quote.mint === WRAPPED_SOL_MINT && quote.amountRaw > 0n);
    await transaction`
      insert into fee_claim_intents (intent_id, account_id, wallet_address, claims, in_sol, created_at)
      values (${intent.id}::uuid, ${accountId}::uuid, ${shown.walletAddress},
        ${transaction.json(claims.map((claim) => ({ ...toPreparedClaim(claim) })))}::jsonb, ${inSol.length}::int, ${intent.createdAt}::timestamptz)`;
  }
}
