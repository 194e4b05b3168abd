import type { Queryable } from '../../src/db/client.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import { rowsParameter } from './attempt-rows.ts';

/**
 * SQL: further parts of a `with`, which note since when the endpoints of these attempts fail (`failing_since`) and
 * which of them have recovered. An endpoint with a success in the batch does not fail. Rows that another transaction is
 * changing are skipped, because the next attempt notes the same again. So no batch waits for a request of the api, and
 * two batches cannot deadlock.
 */
export function noteHealth(sql: Queryable, results: readonly AttemptResult[]) {
  const { healthyIds, failing } = healthOf(results);
  const recovered = sql`, recovered as (
      update webhook_endpoints set failing_since = null
      where id in (
        select id from webhook_endpoints where id = any(${healthyIds}::uuid[]) and failing_since is not null
        for no key update skip locked)
    )`;
  const failed = sql`, failing as (
      update webhook_endpoints as endpoint set
        failing_since = greatest(endpoint.judged_from, now() - found.took_ms * interval '1 millisecond')
      from (
        select endpoint.id, failed.took_ms
        from json_to_recordset(${rowsParameter(sql, failing)}) as failed(id uuid, took_ms float8)
        join webhook_endpoints as endpoint on endpoint.id = failed.id and endpoint.failing_since is null
        for no key update of endpoint skip locked
      ) as found where endpoint.id = found.id
    )`;
  return sql`${healthyIds.length > 0 ? recovered : sql``}${failing.length > 0 ? failed : sql``}`;
}

/**
 * The endpoints with a success, and the other endpoints with the duration of their longest failure. Attempts that were
 * not sent do not count.
 */
function healthOf(results: readonly AttemptResult[]) {
  const healthy = new Set<string>();
  const tookMs = new Map<string, number>();
  for (const { claim, verdict, trace } of results) {
    const { id } = claim.endpoint;
    if (verdict.succeeded) healthy.add(id);
    else if (verdict.wasSent) tookMs.set(id, Math.max(trace.totalMs, tookMs.get(id) ?? 0));
  }
  const failing = [...tookMs].flatMap(([id, took_ms]) => (healthy.has(id) ? [] : [{ id, took_ms }]));
  return { healthyIds: [...healthy], failing };
}
