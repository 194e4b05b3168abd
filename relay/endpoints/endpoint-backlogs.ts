import type { Database } from '../../src/db/client.ts';
import type { Logger } from '../../src/shared/log.ts';
import { runLoop, type Wakeup, wait } from '../../src/shared/loop.ts';
import { isOpen } from '../model/delivery-transitions.ts';

/** With a backlog at more endpoints than this, every endpoint counts as having one. */
const ENDPOINTS_MAX = 2_000;
/** Pause while nothing is due, or the same deliveries stay due, for example those of a paused endpoint. */
const IDLE_MS = 500;
/** Shortest pause between two reads. */
const PAUSE_MS = 25;
/** The pause is also this many times the duration of the last read. */
const PAUSE_RATIO = 9;
/** New deliveries wait for a backlog that ends sooner, and need no rows. */
const BRIEF_MS = 500;

export interface BacklogsRead {
  /** Whether other endpoints have a backlog than at the last read. */
  isChanged: boolean;
  /** Milliseconds until another delivery is due; null if none will be. */
  dueMs: number | null;
}

interface Backlog {
  /** The number of the read that may find that it has ended. */
  untilRead: number;
  sinceMs: number;
}

/**
 * Endpoints with a backlog: a due delivery that has a row. Younger events of such an endpoint wait or get rows too, so
 * that nothing overtakes the older delivery. Rows that this relay wrote count at once; rows of other relays, and
 * retries that fall due, count from the next read on.
 */
export class EndpointBacklogs {
  readonly #sql: Database;
  readonly #isWaiting: (endpointId: string) => boolean;
  #backlogs = new Map<string, Backlog>();
  #reads = 0;
  #isEverywhere = true;

  /** @param isWaiting whether deliveries to the endpoint are claimed, but not in flight yet */
  constructor(sql: Database, isWaiting: (endpointId: string) => boolean = () => false) {
    this.#sql = sql;
    this.#isWaiting = isWaiting;
  }

  get size(): number {
    return this.#backlogs.size;
  }

  /** Whether only deliveries with rows may be sent to the endpoint. */
  has(endpointId: string): boolean {
    return this.#isEverywhere || this.#backlogs.has(endpointId) || this.#isWaiting(endpointId);
  }

  /** Whether the endpoint has had a backlog for longer than a moment, so that further deliveries get rows too. */
  isOld(endpointId: string, nowMs: number): boolean {
    return this.#isEverywhere || nowMs - (this.#backlogs.get(endpointId)?.sinceMs ?? nowMs) > BRIEF_MS;
  }

  /** A row of the endpoint is about to wait for a claim. */
  add(endpointId: string): void {
    this.#set(endpointId, Number.POSITIVE_INFINITY);
  }

  /** The row is committed, so the next read sees it. */
  addCommitted(endpointId: string): void {
    this.#set(endpointId, this.#reads + 1);
  }

  #set(endpointId: string, untilRead: number): void {
    const sinceMs = this.#backlogs.get(endpointId)?.sinceMs ?? performance.now();
    this.#backlogs.set(endpointId, { untilRead, sinceMs });
  }

  /** Reads which endpoints have a backlog, and when another delivery is due. */
  async read(): Promise<BacklogsRead> {
    this.#reads += 1;
    const { found, dueMs } = await readDue(this.#sql, ENDPOINTS_MAX);
    this.#isEverywhere = found.length === ENDPOINTS_MAX;
    const before = this.#backlogs;
    this.#backlogs = new Map([...before].filter(([, { untilRead }]) => untilRead > this.#reads));
    for (const id of found) {
      const sinceMs = before.get(id)?.sinceMs ?? performance.now();
      if (!this.#backlogs.has(id)) this.#backlogs.set(id, { untilRead: this.#reads, sinceMs });
    }
    const isChanged =
      this.#backlogs.size !== before.size || [...this.#backlogs.keys()].some((id) => !before.has(id));
    return { isChanged, dueMs };
  }
}

/**
 * The endpoints with a due delivery that waits for a claim, each found by one step through an index (as by `findReady`
 * in retry/claim-deliveries.ts), and the milliseconds until another delivery is due.
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

interface BacklogLoopDependencies {
  backlogs: EndpointBacklogs;
  /** Woken when this relay has written rows that wait for a claim. */
  hasRows: Wakeup;
  /** Called when deliveries are due that perhaps no claim has seen. */
  onDue(): void;
  log: Logger;
}

/**
 * Reads again and again which endpoints have a backlog. The pauses keep this a tenth of the work, and grow while
 * nothing changes. An idle relay reads deliveries only here.
 */
export function backlogLoop(
  { backlogs, hasRows, onDue, log }: BacklogLoopDependencies,
  signal: AbortSignal,
): Promise<void> {
  let quietMs = PAUSE_MS;
  return runLoop({
    name: 'endpoint-backlogs',
    log,
    signal,
    idleMs: 0,
    async step(stepSignal, pulse) {
      const startedAtMs = performance.now();
      const { isChanged, dueMs } = await backlogs.read();
      const tookMs = performance.now() - startedAtMs;
      quietMs = isChanged ? PAUSE_MS : Math.min(IDLE_MS, 2 * quietMs);
      if (backlogs.size > 0 && (isChanged || quietMs === IDLE_MS)) onDue();
      const leastMs = Math.max(PAUSE_MS, PAUSE_RATIO * tookMs);
      await pulse.rest(wait(leastMs, stepSignal));
      const moreMs = Math.min(backlogs.size === 0 ? IDLE_MS : quietMs, dueMs ?? IDLE_MS) - leastMs;
      if (moreMs > 0) await pulse.rest(hasRows.wait(moreMs, stepSignal));
      return true;
    },
  });
}
