import type { Database } from '../../src/db/client.ts';
import type { Outbox } from '../../src/outbox/append.ts';
import { disableEndpoint } from '../results/disable-endpoint.ts';

/** An endpoint whose every attempt failed for this long is disabled (contract/delivery#failing-endpoints). */
const FAILING_DAYS = 5;
const CHECK_AGAIN_MS = 10 * 60 * 1000;
const ENDPOINTS_PER_STEP = 20;

/**
 * Endpoints with a failed attempt, to be checked now and then. These are only candidates; the decision is read from
 * the attempt table, so a restart loses nothing: the next failure adds the endpoint again.
 */
export class FailingEndpoints {
  readonly #candidates = new Set<string>();
  readonly #checkedAtMs = new Map<string, number>();

  /** Call it after a failed attempt; ignored for 10 minutes after the endpoint's last check. */
  add(endpointId: string, nowMs: number): void {
    const checkedAtMs = this.#checkedAtMs.get(endpointId);
    if (checkedAtMs === undefined || nowMs - checkedAtMs >= CHECK_AGAIN_MS) this.#candidates.add(endpointId);
  }

  /** Removes and returns the candidates of one step, which count as checked now. */
  take(nowMs: number): string[] {
    const taken = [...this.#candidates].slice(0, ENDPOINTS_PER_STEP);
    for (const id of taken) {
      this.#candidates.delete(id);
      this.#checkedAtMs.delete(id);
      this.#checkedAtMs.set(id, nowMs);
    }
    for (const [id, checkedAtMs] of this.#checkedAtMs) {
      if (nowMs - checkedAtMs < CHECK_AGAIN_MS) break;
      this.#checkedAtMs.delete(id);
    }
    return taken;
  }
}

/**
 * Disables those endpoints (`failing`) whose attempts since the last success, or since `judged_from`, have all
 * failed for 5 days: one that was enabled again, or got a new URL, has its 5 days again. Attempts with an unknown
 * outcome do not count. Returns the ids of the disabled ones.
 */
export async function disableFailing(
  sql: Database,
  outbox: Outbox,
  endpointIds: string[],
): Promise<string[]> {
  const disabled: string[] = [];
  for (const endpointId of endpointIds) {
    if (!(await isFailing(sql, endpointId))) continue;
    const done = await sql.begin((transaction) =>
      disableEndpoint(transaction, outbox, endpointId, 'failing'),
    );
    if (done) disabled.push(endpointId);
  }
  return disabled;
}

async function isFailing(sql: Database, endpointId: string): Promise<boolean> {
  const [row] = await sql<{ failing: boolean }[]>`
    select coalesce(min(attempt.started_at) filter (where not attempt.succeeded and attempt.started_at >
        counted.since) <= now() - ${FAILING_DAYS} * interval '1 day', false) as failing
    from webhook_deliveries as delivery
    join webhook_attempts as attempt on attempt.delivery_id = delivery.id
    cross join lateral (
      -- A delivery remembers its success longer than the attempts are kept.
      select greatest(endpoint.judged_from, (
        select max(greatest(good.started_at, sent.delivered_at)) from webhook_deliveries as sent
        left join webhook_attempts as good on good.delivery_id = sent.id and good.succeeded
        where sent.endpoint_id = endpoint.id)) as since
      from webhook_endpoints as endpoint where endpoint.id = ${endpointId}
    ) as counted
    where delivery.endpoint_id = ${endpointId}
      and not exists (
        select from webhook_deliveries as recent where recent.endpoint_id = ${endpointId}
          and recent.delivered_at > now() - ${FAILING_DAYS} * interval '1 day')`;
  return row?.failing ?? false;
}
