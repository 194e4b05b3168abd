import type { Transaction } from '../../db/client.ts';

/** Hides a token everywhere, or shows it again. False when there is no such token (contract/tokens#visibility). */
export async function setTokenHidden(
  transaction: Transaction,
  mintAddress: string,
  hidden: boolean,
): Promise<boolean> {
  const changed = await transaction`update tokens set hidden = ${hidden} where mint_address = ${mintAddress}`;
  return changed.count === 1;
}
