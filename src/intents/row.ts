import type { Reader } from '../db/look-ups.ts';
import type {
  IntentPolicy,
  IntentQuote,
  PriorityLevel,
  SendRoute,
} from '../db/values/transaction-intents.ts';
import { encodeBase64 } from '../shared/bytes.ts';
import { type Landing, toLanded } from './land/landing.ts';
import type { TransactionIntent, TransactionIntentEvent } from './schema.ts';
import type { IntentErrorCode, IntentStatus } from './state.ts';

export interface IntentRow {
  id: string;
  accountId: string;
  kind: string;
  status: IntentStatus;
  expectedSigner: string;
  preparedTransaction: Uint8Array;
  /** Offset of the expected signer's signature in `preparedTransaction`. */
  signatureOffset: number;
  /** The bytes to broadcast; null before the submission. */
  signedTransaction: Uint8Array | null;
  recentBlockhash: string | null;
  lastValidBlockHeight: bigint | null;
  policy: IntentPolicy;
  sendRoute: SendRoute;
  priorityLevel: PriorityLevel | null;
  transactionSignature: string | null;
  mintAddress: string | null;
  launchId: string | null;
  tipLamports: bigint | null;
  quote: IntentQuote | null;
  errorCode: IntentErrorCode | null;
  errorDetail: string | null;
  version: number;
  expiresAt: Date;
  createdAt: Date;
  submittedAt: Date | null;
  completedAt: Date | null;
}

/** A row for events: without the bytes, which may be large and which subscribers do not need. */
export type IntentEventRow = Omit<IntentRow, 'preparedTransaction' | 'signatureOffset' | 'signedTransaction'>;

/**
 * SQL: the columns of an IntentRow, from `transaction_intents i`, by name. A statement that returns `*` fails
 * in running processes when a migration of the next release adds a column.
 */
export function intentColumns(sql: Reader) {
  return sql`${intentEventColumns(sql)}, i.prepared_transaction, i.signature_offset, i.signed_transaction`;
}

/** SQL: the columns of an IntentEventRow, from `transaction_intents i`. */
export function intentEventColumns(sql: Reader) {
  return sql`
    i.id, i.account_id, i.kind, i.status, i.expected_signer, i.recent_blockhash, i.last_valid_block_height,
    i.policy, i.send_route, i.priority_level, i.transaction_signature, i.mint_address, i.launch_id, i.tip_lamports,
    i.quote, i.error_code, i.error_detail, i.version, i.expires_at, i.created_at,
    i.submitted_at, i.completed_at`;
}

/**
 * Lists its fields, because a rest copy takes longer than serialising the object.
 * @param shown of the same row, when the caller has it already
 */
export function toIntent(row: IntentRow, shown = toIntentEvent(row)): TransactionIntent {
  return {
    id: shown.id,
    kind: shown.kind,
    status: shown.status,
    expectedSigner: shown.expectedSigner,
    serializedTransaction: encodeBase64(row.preparedTransaction),
    recentBlockhash: shown.recentBlockhash,
    lastValidBlockHeight: shown.lastValidBlockHeight,
    policy: shown.policy,
    route: shown.route,
    priorityLevel: shown.priorityLevel,
    transactionSignature: shown.transactionSignature,
    mintAddress: shown.mintAddress,
    launchId: shown.launchId,
    quote: shown.quote,
    landed: shown.landed,
    finality: shown.finality,
    error: shown.error,
    version: shown.version,
    expiresAt: shown.expiresAt,
    createdAt: shown.createdAt,
    submittedAt: shown.submittedAt,
    completedAt: shown.completedAt,
  };
}

/**
 * The record without `serializedTransaction` (contract/events#catalogue).
 * @param landing of a transaction that landed, else null
 */
export function toIntentEvent(row: IntentEventRow, landing: Landing | null = null): TransactionIntentEvent {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    expectedSigner: row.expectedSigner,
    recentBlockhash: row.recentBlockhash,
    lastValidBlockHeight: row.lastValidBlockHeight?.toString() ?? null,
    policy: row.policy,
    route: row.sendRoute,
    priorityLevel: row.priorityLevel,
    transactionSignature: row.transactionSignature,
    mintAddress: row.mintAddress,
    launchId: row.launchId,
    quote: row.quote,
    landed: landing === null ? null : toLanded(landing),
    finality: landing?.finality ?? null,
    error: row.errorCode === null ? null : { code: row.errorCode, detail: row.errorDetail ?? '' },
    version: row.version,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
