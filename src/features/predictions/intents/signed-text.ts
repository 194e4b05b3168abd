import type { DecimalString } from '../../../shared/decimal.ts';

/** The signed permission of a wallet: one prediction, by one account, in one round, until some time. */
export interface IntentTerms {
  id: string;
  accountId: string;
  roundId: string;
  walletAddress: string;
  predictedPriceInSol: DecimalString;
  expiresAt: Date;
}

/**
 * Composes the text that the wallet signs, as UTF-8 (contract/predictions#delegated-intents): seven lines,
 * separated by line feeds, none after the last; ids in lower case, the price in its canonical spelling, the
 * time in UTC with milliseconds. It uses only stored columns, so the verified text equals the stored terms.
 * It cannot be a transaction message: its first byte would demand 76 signatures, its second 97 of them
 * read-only.
 */
export function intentText(terms: IntentTerms): string {
  return [
    'Launchwire prediction, version 1',
    `intent: ${terms.id.toLowerCase()}`,
    `account: ${terms.accountId.toLowerCase()}`,
    `round: ${terms.roundId.toLowerCase()}`,
    `wallet: ${terms.walletAddress}`,
    `price: ${terms.predictedPriceInSol} SOL`,
    `expires: ${terms.expiresAt.toISOString()}`,
  ].join('\n');
}
