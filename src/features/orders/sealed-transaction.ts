import type { SecretBox } from '../../shared/secret-box.ts';

/** Names row and column: a ciphertext that was moved to another order does not open. */
function contextOf(transactionId: string): string {
  return `order_transactions/${transactionId}/sealed_transaction`;
}

/** Seals the signed bytes of an order's transaction for the time until it is sent. */
export function sealOrderTransaction(
  box: Pick<SecretBox, 'seal'>,
  transactionId: string,
  signed: Uint8Array,
): Uint8Array {
  return box.seal(signed, contextOf(transactionId));
}

/** The signed bytes. Throws NotOpened. */
export function openOrderTransaction(
  box: Pick<SecretBox, 'open'>,
  transactionId: string,
  sealed: Uint8Array,
): Uint8Array {
  return box.open(sealed, contextOf(transactionId));
}

/** The bytes sealed under the newest key; null when they already are. Throws NotOpened. */
export function resealOrderTransaction(
  box: Pick<SecretBox, 'reseal'>,
  transactionId: string,
  sealed: Uint8Array,
): Uint8Array | null {
  return box.reseal(sealed, contextOf(transactionId));
}
