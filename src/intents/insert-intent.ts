import { type InsertedColumn, insertOf } from '../db/insert-row.ts';
import type { IntentRow } from './row.ts';

type Column = InsertedColumn<IntentRow>;

const ofTransaction: readonly Column[] = [
  ['id', 'uuid', ({ id }) => id],
  ['account_id', 'uuid', ({ accountId }) => accountId],
  ['kind', 'text', ({ kind }) => kind],
  ['status', 'text', ({ status }) => status],
  ['expected_signer', 'text', ({ expectedSigner }) => expectedSigner],
  ['prepared_transaction', 'bytea', ({ preparedTransaction }) => preparedTransaction],
  ['signature_offset', 'int', ({ signatureOffset }) => signatureOffset],
  ['recent_blockhash', 'text', ({ recentBlockhash }) => recentBlockhash],
  ['last_valid_block_height', 'int8', ({ lastValidBlockHeight }) => lastValidBlockHeight],
  ['policy', 'jsonb', ({ policy }, sql) => sql.json({ ...policy })],
  ['send_route', 'text', ({ sendRoute }) => sendRoute],
  ['priority_level', 'text', ({ priorityLevel }) => priorityLevel],
  ['version', 'int', ({ version }) => version],
  ['expires_at', 'timestamptz', ({ expiresAt }) => expiresAt],
  ['created_at', 'timestamptz', ({ createdAt }) => createdAt],
];

const ofFlow: readonly Column[] = [
  ...ofTransaction,
  ['mint_address', 'text', ({ mintAddress }) => mintAddress],
  ['launch_id', 'uuid', ({ launchId }) => launchId],
  ['tip_lamports', 'int8', ({ tipLamports }) => tipLamports],
  ['quote', 'jsonb', ({ quote }, sql) => quote && sql.json({ ...quote })],
];

const ofSubmission: readonly Column[] = [
  ...ofFlow,
  ['signed_transaction', 'bytea', ({ signedTransaction }) => signedTransaction],
  ['submitted_at', 'timestamptz', ({ submittedAt }) => submittedAt],
];

/**
 * SQL that inserts an intent, by who does: each role may write its columns alone (src/db/grants.ts). `from` says when;
 * if unset, always.
 */
export const insertIntent = {
  /** An intent of the internal API or of an operator. */
  given: insertOf('transaction_intents as i', ofTransaction),
  /** An intent of a flow of the api. */
  composed: insertOf('transaction_intents as i', ofFlow),
  /** An intent that is born submitted. */
  submitted: insertOf('transaction_intents as i', ofSubmission),
};
