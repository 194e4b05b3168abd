import type { Database } from '../../../db/client.ts';

/** A submitted intent that waits for its outcome. */
export interface AwaitedIntent {
  intentId: string;
  /** The stored id, or null while no node has accepted it: then it is read from the bytes. */
  transactionSignature: string | null;
  /** Only where the id or the lifetime has to be read from it. */
  signedTransaction: Uint8Array | null;
  lastValidBlockHeight: bigint | null;
  createdAt: Date;
  expiresAt: Date;
  /** Sends that a node may have taken, whether it said so or not. */
  sendCount: number;
  /** A node has accepted a send under the signature of another transaction. */
  hasSignatureMismatch: boolean;
}

/** Submitted intents in the order of their ids, after `afterId`. */
export async function listAwaitedIntents(
  db: Database,
  afterId: string,
  limit: number,
): Promise<AwaitedIntent[]> {
  return db<AwaitedIntent[]>`
    select b.intent_id, i.transaction_signature, i.last_valid_block_height, i.created_at, i.expires_at,
      b.send_count, b.misanswered as has_signature_mismatch,
      case when i.transaction_signature is null or i.last_valid_block_height is null then i.signed_transaction end as signed_transaction
    from intent_broadcasts b join transaction_intents i on i.id = b.intent_id
    where b.intent_id > ${afterId} and i.status = 'submitted'
    order by b.intent_id limit ${limit}`;
}
