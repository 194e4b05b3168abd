import { hash } from 'node:crypto';
import type { Database, Transaction } from '../../db/client.ts';
import {
  accountResponses,
  isDuplicateRecord,
  type ResponseRecord,
  type ResponseTable,
  sealContext,
} from '../../db/idempotency-record.ts';
import type { Reader } from '../../db/look-ups.ts';
import { equalBytes } from '../../shared/bytes.ts';
import type { Clock } from '../../shared/clock.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import { Problem } from '../../shared/problem.ts';
import type { SecretBox } from '../../shared/secret-box.ts';

/** How long a stored response is replayed (contract/idempotency#stored-responses). */
const RESPONSE_RETENTION_MS = 24 * 60 * 60 * 1000;

/** One attempt of a mutation: its account, its key and its exact request. */
export interface Attempt {
  accountId: string;
  key: string;
  /** SHA-256 of the request (contract/idempotency#scope). */
  fingerprint: Uint8Array;
  /** The stored response holds a secret and is encrypted. */
  sealed: boolean;
}

/** A finished mutation in the form in which it is stored and replayed. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

export interface Idempotency {
  /**
   * Returns the stored response of the attempt, or null. Throws `idempotency_key_reused`. It takes no lock:
   * `run` decides.
   */
  find(attempt: Attempt): Promise<StoredResponse | null>;
  /**
   * Runs `work` at most once per account and key, inside one transaction that also stores its response.
   * Throws `idempotency_key_reused`, `idempotency_request_in_progress`, or the failure of `work`; then
   * nothing is stored and the key is free again.
   */
  run(
    attempt: Attempt,
    work: (transaction: Transaction) => Promise<StoredResponse>,
  ): Promise<StoredResponse & { replayed: boolean }>;
}

/**
 * @param secrets absent where no response holds a secret: the table then has no column for encrypted ones
 * @param where.lookUps the pool of `find`
 */
export function createIdempotency(
  database: Database,
  secrets: SecretBox | null,
  clock: Clock,
  { responses = accountResponses, lookUps = database }: { responses?: ResponseTable; lookUps?: Reader } = {},
): Idempotency {
  const attemptOnce = (attempt: Attempt, work: (transaction: Transaction) => Promise<StoredResponse>) =>
    database.begin(async (transaction) => {
      const stored = await claim(transaction, responses, attempt, clock.now());
      if (stored !== null) return { ...open(stored, attempt, secrets), replayed: true };
      const response = await work(transaction);
      await store(transaction, responses, attempt, seal(response, attempt, secrets), clock.now());
      return { ...response, replayed: false };
    });

  return {
    async find(attempt) {
      const now = clock.now();
      const [stored] = await selectStored(lookUps, responses, attempt, now);
      if (stored === undefined) return null;
      requireSameRequest(stored, attempt, now);
      return open(stored, attempt, secrets);
    },
    async run(attempt, work) {
      try {
        return await attemptOnce(attempt, work);
      } catch (error) {
        // A concurrent duplicate committed between the look-up and the insert: its response is stored now.
        if (isConcurrentDuplicate(error)) return attemptOnce(attempt, work);
        throw error;
      }
    },
  };
}

interface StoredRow extends StoredResponse {
  expiresAt: Date;
  fingerprint: Uint8Array;
  sealed: boolean;
}

/**
 * Takes the advisory lock of this key for the rest of the transaction (a crash releases it) and returns the
 * stored response, if any. Two statements, sent together: the look-up must see the commit of the lock's last
 * holder.
 */
async function claim(
  transaction: Transaction,
  responses: ResponseTable,
  attempt: Attempt,
  now: Date,
): Promise<StoredRow | null> {
  const { accountId, key } = attempt;
  const [locks, [stored]] = await Promise.all([
    transaction<
      { acquired: boolean }[]
    >`select pg_try_advisory_xact_lock(${lockId(accountId, key)}::bigint) as acquired`,
    selectStored(transaction, responses, attempt, now),
  ]);
  if (stored === undefined && locks[0]?.acquired !== true) {
    throw new Problem('idempotency_request_in_progress', {
      retryAfterSeconds: unpublishedLimits.idempotencyInProgressRetryAfterSeconds,
    });
  }
  if (stored !== undefined) requireSameRequest(stored, attempt, now);
  return stored ?? null;
}

function selectStored(
  sql: Reader,
  { table, caller, canSeal }: ResponseTable,
  { accountId, key }: Attempt,
  now: Date,
) {
  return sql<StoredRow[]>`
    select fingerprint, response_status as status, response_headers as headers, response_body as body,
           ${canSeal ? sql`sealed` : sql`false as sealed`}, expires_at
    from ${sql(table)}
    where ${sql(caller)} = ${accountId} and key = ${key} and expires_at > ${now}`;
}

/** Throws `idempotency_key_reused` with the time until the key is free for another request. */
function requireSameRequest(stored: StoredRow, attempt: Attempt, now: Date): void {
  if (equalBytes(stored.fingerprint, attempt.fingerprint)) return;
  const freeInMs = stored.expiresAt.getTime() - now.getTime();
  throw new Problem('idempotency_key_reused', { retryAfterSeconds: Math.ceil(freeInMs / 1000) });
}

async function store(
  transaction: Transaction,
  { table, caller, canSeal }: ResponseTable,
  { accountId, key, fingerprint, sealed }: Attempt,
  { status, headers, body }: StoredResponse,
  now: Date,
): Promise<void> {
  if (sealed && !canSeal) throw new Error(`${table} cannot store sealed responses`);
  const row = {
    [caller]: accountId,
    key,
    fingerprint,
    response_status: status,
    response_headers: transaction.json(headers),
    response_body: body,
    ...(canSeal ? { sealed } : {}),
    created_at: now,
    expires_at: new Date(now.getTime() + RESPONSE_RETENTION_MS),
  };
  const replaced = transaction`
    fingerprint = excluded.fingerprint, response_status = excluded.response_status,
    response_headers = excluded.response_headers, response_body = excluded.response_body,
    ${canSeal ? transaction`sealed = excluded.sealed,` : transaction``}
    created_at = excluded.created_at, expires_at = excluded.expires_at`;
  const stored = await transaction`
    insert into ${transaction(table)} ${transaction(row)}
    on conflict (${transaction(caller)}, key) do update set ${replaced}
      where ${transaction(table)}.expires_at <= ${now}
    returning 1`;
  if (stored.length === 0) throw new ConcurrentDuplicate();
}

class ConcurrentDuplicate extends Error {}

function isConcurrentDuplicate(error: unknown): boolean {
  return error instanceof ConcurrentDuplicate || isDuplicateRecord(error);
}

/** Builds the response for a statement that stores it together with the mutation. */
export function responseRecord(
  { accountId, key, fingerprint }: Attempt,
  { status, headers, body }: StoredResponse,
): ResponseRecord {
  return {
    key,
    fingerprint,
    lockId: lockId(accountId, key),
    status,
    headers,
    body,
    retentionMs: RESPONSE_RETENTION_MS,
  };
}

/** The advisory lock of a key: 64 bits of a hash. A collision only makes one caller retry after a second. */
function lockId(accountId: string, key: string): string {
  return hash('sha256', `${accountId}\n${key}`, 'buffer').readBigInt64BE().toString();
}

function seal(response: StoredResponse, attempt: Attempt, secrets: SecretBox | null): StoredResponse {
  if (!attempt.sealed) return response;
  return { ...response, body: required(secrets).seal(response.body, sealContext(attempt)) };
}

function open(row: StoredRow, attempt: Attempt, secrets: SecretBox | null): StoredResponse {
  const body = row.sealed ? required(secrets).open(row.body, sealContext(attempt)) : row.body;
  return { status: row.status, headers: row.headers, body };
}

function required(secrets: SecretBox | null): SecretBox {
  if (secrets === null) throw new Error('no secret keys for a response that holds a secret');
  return secrets;
}
