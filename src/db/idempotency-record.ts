import postgres from 'postgres';
import type { Database } from './client.ts';

/**
 * The response of a mutation in its stored form, for statements of the fast path: the change, its event and
 * its response commit together, in one round trip.
 */
export interface ResponseRecord {
  key: string;
  fingerprint: Uint8Array;
  /** Advisory lock of the key. */
  lockId: string;
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Time for which the response is replayed. */
  retentionMs: number;
}

/** Storage of the responses of accounts: the table, and its column that names the caller. */
export const accountResponses = {
  table: 'idempotency_records',
  caller: 'account_id',
  canSeal: true,
} as const;
/** Storage of the responses of service keys: the role of the internal API reads no response of an account. */
export const serviceResponses = {
  table: 'service_responses',
  caller: 'service_key_id',
  canSeal: false,
} as const;
export type ResponseTable = typeof accountResponses | typeof serviceResponses;

const PRIMARY_KEYS: readonly (string | undefined)[] = ['idempotency_records_pk', 'service_responses_pk'];

/** SQL that tries the idempotency lock: `acquired` is false while a concurrent duplicate holds it. */
export function tryIdempotencyLock(sql: Database, { lockId }: ResponseRecord) {
  return sql`select pg_try_advisory_xact_lock(${lockId}::bigint) as acquired`;
}

/**
 * SQL: no response is stored under the account's key.
 * @param accountId SQL
 */
export function hasNoStoredResponse(sql: Database, accountId: ReturnType<Database>, { key }: ResponseRecord) {
  return sql`not exists (select from idempotency_records as record where record.account_id = ${accountId} and record.key = ${key})`;
}

/** SQL that stores the response for each row of `accepted`, which has `account_id` and `submitted_at`. */
export function storeResponse(
  sql: Database,
  { key, fingerprint, status, headers, body, retentionMs }: ResponseRecord,
) {
  return sql`
    insert into idempotency_records
      (account_id, key, fingerprint, response_status, response_headers, response_body, sealed, created_at, expires_at)
    select account_id, ${key}, ${fingerprint}, ${status}::int, ${sql.json(headers)}, ${body}, false,
      submitted_at, submitted_at + ${retentionMs} * interval '1 millisecond'
    from accepted`;
}

/** Runs a statement that ends in `select from accepted`; true when it changed and stored something. */
export function isAccepted(statement: ReturnType<Database>): Promise<boolean> {
  // Use `then`, not `await`: a statement is no native promise, and `await` would make two more.
  return statement.then(
    ({ count }) => count === 1,
    (error: unknown) => {
      if (isDuplicateRecord(error)) return false;
      throw error;
    },
  );
}

/**
 * True for the failure of a statement whose concurrent duplicate has committed a response under the same key.
 */
export function isDuplicateRecord(error: unknown): boolean {
  return error instanceof postgres.PostgresError && PRIMARY_KEYS.includes(error.constraint_name);
}

/** The sealing context of a stored response. */
export function sealContext({ accountId, key }: { accountId: string; key: string }): string {
  return `idempotency:${accountId}:${key}`;
}
