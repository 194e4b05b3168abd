import type { Database, Transaction } from '../src/db/client.ts';
import type { Outbox } from '../src/outbox/append.ts';
import type { Claim } from './claim.ts';
import type { Verdict } from './classify.ts';
import { disableEndpoint, pauseEndpoints } from './endpoint-effects.ts';
import type { AttemptTrace } from './outcome.ts';
import type { NextStep } from './schedule.ts';
import { transitions } from './transitions.ts';

/** A finished attempt. */
export interface AttemptResult {
  claim: Claim;
  verdict: Verdict;
  trace: AttemptTrace;
  step: NextStep;
}

export interface Recorded {
  /** Deliveries whose state this result decided; the others belonged to another relay meanwhile. */
  decidedIds: ReadonlySet<string>;
  disabledEndpointIds: readonly string[];
}

/**
 * Writes finished attempts in one transaction: attempts, deliveries, pauses and disabled endpoints. Safe to
 * repeat after an unclear commit. The attempt number fences: a result that comes after another relay claimed
 * the delivery again still completes its attempt row, and changes nothing else.
 */
export async function recordResults(
  sql: Database,
  outbox: Outbox,
  results: readonly AttemptResult[],
): Promise<Recorded> {
  return await sql.begin(async (transaction) => {
    await finishAttempts(transaction, results);
    const decidedIds = await moveDeliveries(transaction, results);
    const decided = results.filter(({ claim }) => decidedIds.has(claim.deliveryId));
    await pauseEndpoints(
      transaction,
      decided.flatMap(({ claim, verdict }) =>
        verdict.pauseMs === null ? [] : [{ endpointId: claim.endpoint.id, pauseMs: verdict.pauseMs }],
      ),
    );
    const gone = decided.filter(({ verdict }) => verdict.gone).map(({ claim }) => claim.endpoint.id);
    const disabledEndpointIds: string[] = [];
    for (const endpointId of [...new Set(gone)].sort()) {
      if (await disableEndpoint(transaction, outbox, endpointId, 'gone'))
        disabledEndpointIds.push(endpointId);
    }
    return { decidedIds, disabledEndpointIds };
  });
}

async function finishAttempts(transaction: Transaction, results: readonly AttemptResult[]): Promise<void> {
  const rows = results.map(({ claim, verdict, trace }) => ({
    id: claim.attemptId,
    succeeded: verdict.succeeded,
    error_code: verdict.errorCode,
    response_status: verdict.responseStatus,
    resolved_address: trace.resolvedAddress,
    redirect_count: trace.redirectCount,
    dns_ms: trace.dnsMs,
    connect_ms: trace.connectMs,
    tls_ms: trace.tlsMs,
    first_byte_ms: trace.firstByteMs,
    total_ms: trace.totalMs,
    response_body: trace.bodyStart === null ? null : Buffer.from(trace.bodyStart).toString('base64'),
  }));
  await transaction`
    update webhook_attempts as attempt set
      finished_at = now(), succeeded = result.succeeded, error_code = result.error_code,
      response_status = result.response_status, resolved_address = result.resolved_address,
      redirect_count = result.redirect_count, dns_ms = result.dns_ms, connect_ms = result.connect_ms,
      tls_ms = result.tls_ms, first_byte_ms = result.first_byte_ms, total_ms = result.total_ms,
      response_body = decode(result.response_body, 'base64')
    from jsonb_to_recordset(${transaction.json(rows)}) as result(
      id uuid, succeeded boolean, error_code text, response_status int, resolved_address text,
      redirect_count int, dns_ms int, connect_ms int, tls_ms int, first_byte_ms int, total_ms int,
      response_body text)
    where attempt.id = result.id`;
}

async function moveDeliveries(
  transaction: Transaction,
  results: readonly AttemptResult[],
): Promise<Set<string>> {
  const rows = results.map(({ claim, verdict, step }) => ({
    id: claim.deliveryId,
    attempt_number: claim.attemptNumber,
    status: transitions[step.transition].to,
    schedule_index: claim.scheduleIndex + 1,
    delay_ms: step.transition === 'failed' ? step.delayMs : null,
    error_code: verdict.errorCode,
    response_status: verdict.responseStatus,
  }));
  const moved = await transaction<{ id: string }[]>`
    update webhook_deliveries as delivery set
      status = result.status, schedule_index = result.schedule_index, lease_expires_at = null,
      next_attempt_at = now() + result.delay_ms * interval '1 millisecond',
      last_error_code = result.error_code, response_status = result.response_status,
      delivered_at = case when result.status = 'succeeded' then now() else delivery.delivered_at end,
      updated_at = now()
    from jsonb_to_recordset(${transaction.json(rows)}) as result(
      id uuid, attempt_number int, status text, schedule_index int, delay_ms float8, error_code text,
      response_status int)
    where delivery.id = result.id and delivery.attempt_count = result.attempt_number
      and delivery.status = any(${[...transitions.failed.from]}::text[])
    returning delivery.id`;
  return new Set(moved.map(({ id }) => id));
}
