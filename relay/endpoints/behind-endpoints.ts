import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup, wait } from '../../src/shared/loop.ts';

/** With more endpoints than this, all count as behind. */
const ENDPOINTS_MAX = 2_000;
const IDLE_MS = 500;
/** Between two looks while some are behind, at least; and this many times what a look takes. */
const PAUSE_MS = 25;
const PAUSE_RATIO = 9;

/**
 * Endpoints with a due delivery that has a row: younger events get rows behind it, so that nothing overtakes it. Rows that this
 * relay wrote count at once, those of others, and retries that fall due, from the next look on.
 */
export class BehindEndpoints {
  readonly #sql: Database;
  /** With the number of the look that may find them caught up. */
  #behind = new Map<string, number>();
  #looks = 0;
  #isAll = true;

  constructor(sql: Database) {
    this.#sql = sql;
  }

  get size(): number {
    return this.#behind.size;
  }

  /** Whether the endpoint's events get rows. */
  has(endpointId: string): boolean {
    return this.#isAll || this.#behind.has(endpointId);
  }

  /** A row of the endpoint is about to wait for a claim. */
  add(endpointId: string): void {
    this.#behind.set(endpointId, Number.POSITIVE_INFINITY);
  }

  /** That row is committed; the next look sees it. */
  addCommitted(endpointId: string): void {
    this.#behind.set(endpointId, this.#looks + 1);
  }

  /** Looks which endpoints are behind. */
  async look(): Promise<void> {
    this.#looks += 1;
    const found = await readBehind(this.#sql, ENDPOINTS_MAX);
    this.#isAll = found.length === ENDPOINTS_MAX;
    const behind = new Map(found.map((id) => [id, this.#looks]));
    for (const [id, look] of this.#behind) if (look > this.#looks) behind.set(id, look);
    this.#behind = behind;
  }
}

/**
 * The endpoints with a due delivery that waits for a claim, by one step through an index each (as `lockEndpoints` in
 * claim-deliveries.ts).
 */
async function readBehind(sql: Database, limit: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with recursive open as (
      (select endpoint_id as id from webhook_deliveries
        where status in ('pending', 'retrying') order by endpoint_id limit 1)
      union all
      select (select delivery.endpoint_id from webhook_deliveries as delivery
        where delivery.status in ('pending', 'retrying') and delivery.endpoint_id > open.id
        order by delivery.endpoint_id limit 1)
      from open where open.id is not null
    )
    select open.id from open
    where open.id is not null
      and (select min(next_attempt_at) from webhook_deliveries as due
        where due.endpoint_id = open.id and due.status in ('pending', 'retrying')) <= now()
    limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Looks again and again, with pauses that keep it a tenth of the work. */
export function behindLoop(
  { behind, wakeup, log }: { behind: BehindEndpoints; wakeup: Wakeup; log: Logger },
  signal: AbortSignal,
): Promise<void> {
  return runLoop({
    name: 'behind',
    log,
    signal,
    idleMs: 0,
    async step(stepSignal, pulse) {
      const startedAtMs = performance.now();
      await behind.look();
      const tookMs = performance.now() - startedAtMs;
      if (behind.size === 0) await pulse.rest(wakeup.wait(IDLE_MS, stepSignal));
      await pulse.rest(wait(Math.max(PAUSE_MS, PAUSE_RATIO * tookMs), stepSignal));
      return true;
    },
  });
}
