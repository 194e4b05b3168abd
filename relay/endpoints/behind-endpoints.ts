import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup, wait } from '../../src/shared/loop.ts';
import { isOpen } from '../model/delivery-transitions.ts';

/** With more endpoints than this, all count as behind. */
const ENDPOINTS_MAX = 2_000;
/** Pause while nothing is due, or the same deliveries stay due, as those of a paused endpoint. */
const IDLE_MS = 500;
/** Least pause between two looks; a look is also followed by this many times what it took. */
const PAUSE_MS = 25;
const PAUSE_RATIO = 9;

/** Events of an endpoint that catches up sooner need no rows. */
const BRIEF_MS = 500;

export interface Look {
  /** Whether other endpoints are behind than at the last look. */
  isChanged: boolean;
  /** Milliseconds until another delivery is due; null when none will be. */
  dueMs: number | null;
}

interface Behind {
  /** Number of the look that may find that it has caught up. */
  untilLook: number;
  sinceMs: number;
}

/**
 * Endpoints with a due delivery that has a row. Younger events of such an endpoint wait or get rows too, so
 * that nothing overtakes the older delivery. Rows that this relay wrote count at once; rows of others, and
 * retries that fall due, count from the next look on.
 */
export class BehindEndpoints {
  readonly #sql: Database;
  readonly #isWaiting: (endpointId: string) => boolean;
  #behind = new Map<string, Behind>();
  #looks = 0;
  #isAll = true;

  /** @param isWaiting whether deliveries of the endpoint are claimed and not in flight yet */
  constructor(sql: Database, isWaiting: (endpointId: string) => boolean = () => false) {
    this.#sql = sql;
    this.#isWaiting = isWaiting;
  }

  get size(): number {
    return this.#behind.size;
  }

  /** Whether only deliveries with rows may be sent to the endpoint. */
  has(endpointId: string): boolean {
    return this.#isAll || this.#behind.has(endpointId) || this.#isWaiting(endpointId);
  }

  /** Whether it has been behind for longer than a moment: further events of it get rows too. */
  hasLong(endpointId: string, nowMs: number): boolean {
    return this.#isAll || nowMs - (this.#behind.get(endpointId)?.sinceMs ?? nowMs) > BRIEF_MS;
  }

  /** A row of the endpoint is about to wait for a claim. */
  add(endpointId: string): void {
    this.#set(endpointId, Number.POSITIVE_INFINITY);
  }

  /** The row is committed; the next look sees it. */
  addCommitted(endpointId: string): void {
    this.#set(endpointId, this.#looks + 1);
  }

  #set(endpointId: string, untilLook: number): void {
    const sinceMs = this.#behind.get(endpointId)?.sinceMs ?? performance.now();
    this.#behind.set(endpointId, { untilLook, sinceMs });
  }

  /** Finds which endpoints are behind, and when another delivery is due. */
  async look(): Promise<Look> {
    this.#looks += 1;
    const { found, dueMs } = await readDue(this.#sql, ENDPOINTS_MAX);
    this.#isAll = found.length === ENDPOINTS_MAX;
    const before = this.#behind;
    this.#behind = new Map([...before].filter(([, { untilLook }]) => untilLook > this.#looks));
    for (const id of found) {
      const sinceMs = before.get(id)?.sinceMs ?? performance.now();
      if (!this.#behind.has(id)) this.#behind.set(id, { untilLook: this.#looks, sinceMs });
    }
    const isChanged =
      this.#behind.size !== before.size || [...this.#behind.keys()].some((id) => !before.has(id));
    return { isChanged, dueMs };
  }
}

/**
 * The endpoints with a due delivery that waits for a claim, by one step through an index each (as `findReady`
 * in dispatch/claim-deliveries.ts), and the milliseconds until another delivery is due.
 */
export async function readDue(
  sql: Database,
  limit: number,
): Promise<{ found: string[]; dueMs: number | null }> {
  const [row] = await sql<{ found: string[]; dueMs: number | null }[]>`
    with recursive open as (
      (select endpoint_id as id from webhook_deliveries
        where status in ('pending', 'retrying') order by endpoint_id limit 1)
      union all
      select (select delivery.endpoint_id from webhook_deliveries as delivery
        where delivery.status in ('pending', 'retrying') and delivery.endpoint_id > open.id
        order by delivery.endpoint_id limit 1)
      from open where open.id is not null
    )
    select array(select open.id from open
        where open.id is not null
          and (select min(next_attempt_at) from webhook_deliveries as due
            where due.endpoint_id = open.id and due.status in ('pending', 'retrying')) <= now()
        limit ${limit}) as found,
      (select (extract(epoch from min(next_attempt_at) - now()) * 1000)::float8 from webhook_deliveries
        where ${isOpen(sql)} and next_attempt_at > now()) as due_ms`;
  return row ?? { found: [], dueMs: null };
}

interface BehindLoopDependencies {
  behind: BehindEndpoints;
  /** Woken when this relay has written rows that wait for a claim. */
  hasRows: Wakeup;
  /** Called when deliveries are due that no claim may have seen. */
  onDue(): void;
  log: Logger;
}

/**
 * Finds again and again which endpoints are behind. The pauses keep this a tenth of the work, and grow while
 * nothing changes. An idle relay looks at deliveries only here.
 */
export function behindLoop(
  { behind, hasRows, onDue, log }: BehindLoopDependencies,
  signal: AbortSignal,
): Promise<void> {
  let quietMs = PAUSE_MS;
  return runLoop({
    name: 'behind',
    log,
    signal,
    idleMs: 0,
    async step(stepSignal, pulse) {
      const startedAtMs = performance.now();
      const { isChanged, dueMs } = await behind.look();
      const tookMs = performance.now() - startedAtMs;
      quietMs = isChanged ? PAUSE_MS : Math.min(IDLE_MS, 2 * quietMs);
      if (behind.size > 0 && (isChanged || quietMs === IDLE_MS)) onDue();
      const leastMs = Math.max(PAUSE_MS, PAUSE_RATIO * tookMs);
      await pulse.rest(wait(leastMs, stepSignal));
      const moreMs = Math.min(behind.size === 0 ? IDLE_MS : quietMs, dueMs ?? IDLE_MS) - leastMs;
      if (moreMs > 0) await pulse.rest(hasRows.wait(moreMs, stepSignal));
      return true;
    },
  });
}
