import type { Queryable } from '../../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../../db/keyset-page.ts';
import { Problem } from '../../../shared/problem.ts';
import type { AttemptReason } from '../../../shared/webhooks/attempt-reasons.ts';
import { isReadable } from '../events/visible-types.ts';
import type { AttemptRecord } from './schema.ts';

/** Attempts are ordered by their numbers. */
export type AttemptPosition = readonly [attemptNumber: string];

// Before the newest attempt: the first page runs the same statement as the others.
const BEFORE_ALL: AttemptPosition = ['2147483647'];

/** Columns of `webhook_attempts` for subscribers: without the detail, which is for operators. */
interface AttemptRow {
  attemptNumber: number;
  startedAt: Date;
  finishedAt: Date | null;
  succeeded: boolean | null;
  errorCode: string | null;
  errorReason: AttemptReason | null;
  responseStatus: number | null;
  redirectCount: number | null;
  hopOrigin: string | null;
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number | null;
  totalMs: number | null;
  responseBody: Uint8Array | null;
}

/**
 * Attempts of a delivery of the account, newest first. A receiver may echo the event in its response, so
 * `responseStart` is only for keys that may read that event. Throws `webhook_delivery_not_found`.
 */
export async function listAttempts(
  db: Queryable,
  deliveryId: string,
  { accountId, scopes }: { accountId: string; scopes: readonly string[] },
  page: AttemptPage,
): Promise<KeysetPage<AttemptRecord, AttemptPosition>> {
  const [delivery] = await db<{ eventType: string }[]>`
    select delivery.event_type from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${deliveryId} and endpoint.account_id = ${accountId}`;
  if (delivery === undefined) throw new Problem('webhook_delivery_not_found');
  const attempts = await attemptsOf(db, deliveryId, page);
  if (isReadable(delivery.eventType, scopes)) return attempts;
  return { ...attempts, items: attempts.items.map((attempt) => ({ ...attempt, responseStart: null })) };
}

interface AttemptPage {
  limit: number;
  after?: AttemptPosition | undefined;
}

/** Attempts of any delivery, newest first. */
export async function attemptsOf(
  db: Queryable,
  deliveryId: string,
  { limit, after = BEFORE_ALL }: AttemptPage,
): Promise<KeysetPage<AttemptRecord, AttemptPosition>> {
  const [beforeNumber] = after;
  const rows = await db<AttemptRow[]>`
    select attempt_number, started_at, finished_at, succeeded, error_code, error_reason,
      response_status, redirect_count, hop_origin, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, response_body
    from webhook_attempts where delivery_id = ${deliveryId} and attempt_number < ${beforeNumber}::int4
    order by attempt_number desc limit ${limit + 1}`;
  return keysetPage(rows, limit, toAttempt, ({ attemptNumber }) => [String(attemptNumber)]);
}

function toAttempt(row: AttemptRow): AttemptRecord {
  const { attemptNumber, errorCode, errorReason, responseStatus, redirectCount, succeeded } = row;
  const { dnsMs, connectMs, tlsMs, firstByteMs, totalMs } = row;
  return {
    attemptNumber,
    startedAt: row.startedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    outcome: succeeded === null ? 'unknown' : succeeded ? 'succeeded' : 'failed',
    errorCode,
    reason: errorReason,
    failedHop: row.hopOrigin === null ? null : { redirect: redirectCount ?? 0, origin: row.hopOrigin },
    responseStatus,
    redirectCount,
    phases: { dnsMs, connectMs, tlsMs, firstByteMs, totalMs },
    responseStart: row.responseBody === null ? null : textOf(row.responseBody),
  };
}

/** Leaves out a character that the end of the kept bytes cuts, and replaces bytes that are not UTF-8. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
