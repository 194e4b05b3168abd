import type { SecretBox } from '../../shared/secret-box.ts';

/** Seals the signed bytes of a transaction of an order (contract/orders#sealed); bound to that transaction. */
export function sealOrderTransaction(box: SecretBox, transactionId: string, signed: Uint8Array): Uint8Array {
  return box.seal(signed, sealContext(transactionId));
}

/** The signed bytes. Throws NotOpened when they belong to another transaction, or are sealed under an unknown key. */
export function openOrderTransaction(box: SecretBox, transactionId: string, sealed: Uint8Array): Uint8Array {
  return box.open(sealed, sealContext(transactionId));
}

/** The bytes sealed under the newest key; null when they already are. Throws NotOpened. */
export function resealOrderTransaction(
  box: SecretBox,
  transactionId: string,
  sealed: Uint8Array,
): Uint8Array | null {
  return box.reseal(sealed, sealContext(transactionId));
}

function sealContext(transactionId: string): string {
  return `order_transactions.sealed_transaction ${transactionId}`;
}
