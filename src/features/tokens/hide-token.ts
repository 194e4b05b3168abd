import type { Transaction } from '../../db/client.ts';
import { Refusal } from '../../shared/refusal.ts';

/**
 * Hides a token everywhere, or shows it again (contract/tokens#visibility). Throws Refusal when there is no
 * such token.
 */
export async function setTokenHidden(
  transaction: Transaction,
  mintAddress: string,
  hidden: boolean,
): Promise<{ mintAddress: string; hidden: boolean }> {
  const changed = await transaction`update tokens set hidden = ${hidden} where mint_address = ${mintAddress}`;
  if (changed.count === 0) throw new Refusal('unknown', `token ${mintAddress} does not exist`);
  return { mintAddress, hidden };
}
