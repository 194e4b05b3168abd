import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import type { Audience } from '../model/event.ts';
import type { LeasedEvent } from './held-event.ts';

export interface Lease extends LeasedEvent {
  /** Some of its deliveries have rows already. */
  hasRows: boolean;
}

export interface Leased {
  events: Lease[];
  /** Endpoints have changed since this relay refreshed its copy of them. */
  isStale: boolean;
}

interface EventRow extends Omit<Lease, 'stored' | 'leaseEndsMs'> {
  body: string;
  traceparent: string | null;
  isStale: boolean;
}

/**
 * Takes events for this relay, so that no other one sends them or makes their rows meanwhile. Every way to
 * deliveries begins here. A lease stays when its event is done: it stops a relay whose snapshot is older than
 * the mark.
 */
export class EventLeases {
  readonly #sql: Database;
  readonly #relayId: string;
  readonly #leaseMs: number;
  readonly #endpointsSince: () => string | null;

  /** @param endpointsSince `EndpointCache.since`; null where there is no copy of the endpoints */
  constructor(
    sql: Database,
    relayId: string,
    leaseMs: number,
    endpointsSince: () => string | null = () => null,
  ) {
    this.#sql = sql;
    this.#relayId = relayId;
    this.#leaseMs = leaseMs;
    this.#endpointsSince = endpointsSince;
  }

  /** Takes events with ids above `after` that no live relay has. */
  async takeCommitted(
    audience: Audience,
    { after, limit, except }: { after: string; limit: number; except: readonly string[] },
  ): Promise<Leased> {
    const sql = this.#sql;
    const ofAudience = audience === 'public' ? sql`account_id is null` : sql`account_id is not null`;
    return await this.#take(sql`
      fanned_out_at is null and ${ofAudience} and id > ${after}::uuid and id <> all(${[...except]}::uuid[])
        and ${this.#isFree()} order by id limit ${limit}`);
  }

  /** Takes events older than `ageMs` that no live relay has. */
  async takeMissed(
    ageMs: number,
    { limit, except }: { limit: number; except: readonly string[] },
  ): Promise<Leased> {
    const sql = this.#sql;
    return await this.#take(sql`
      fanned_out_at is null and created_at < now() - ${ageMs} * interval '1 millisecond'
        and id <> all(${[...except]}::uuid[]) and ${this.#isFree()} order by id limit ${limit}`);
  }

  /** Takes the events that are open and that no live relay has. */
  async takeAnnounced(ids: readonly string[]): Promise<Leased & { unknownIds: string[] }> {
    const sql = this.#sql;
    const leased = await this.#take(sql`fanned_out_at is null and id = any(${[...ids]}::uuid[]) order by id`);
    const leasedIds = new Set(leased.events.map(({ id }) => id));
    const others = ids.filter((id) => !leasedIds.has(id));
    if (others.length === 0) return { ...leased, unknownIds: [] };
    const known = await sql<{ id: string }[]>`select id from events where id = any(${others}::uuid[])`;
    const knownIds = new Set(known.map(({ id }) => id));
    return { ...leased, unknownIds: others.filter((id) => !knownIds.has(id)) };
  }

  /** Prolongs leases; returns the ids that this relay still has, and when their leases end. */
  async renew(eventIds: readonly string[]): Promise<{ ids: string[]; leaseEndsMs: number }> {
    const startedAtMs = performance.now();
    const rows = await this.#sql<{ eventId: string }[]>`
      update event_leases set lease_expires_at = now() + ${this.#leaseMs} * interval '1 millisecond'
      where event_id = any(${[...eventIds]}::uuid[]) and relay_id = ${this.#relayId} and lease_expires_at > now()
        and ${asynchronousCommit(this.#sql)}
      returning event_id`;
    return { ids: rows.map(({ eventId }) => eventId), leaseEndsMs: startedAtMs + this.#leaseMs };
  }

  async #take(candidates: ReturnType<Database>): Promise<Leased> {
    const sql = this.#sql;
    const since = this.#endpointsSince();
    const startedAtMs = performance.now();
    const rows = await sql<EventRow[]>`
      with candidate as materialized (
        select id, type, subject, account_id, only_endpoint_id, created_at, body, traceparent from events
        where ${candidates}
      ), leased as (
        insert into event_leases (event_id, relay_id, lease_expires_at)
        select id, ${this.#relayId}::uuid, now() + ${this.#leaseMs} * interval '1 millisecond' from candidate
        where ${asynchronousCommit(sql)}
        -- Every relay inserts in this order, so that two of them cannot deadlock.
        order by id
        on conflict (event_id) do update
          set relay_id = excluded.relay_id, lease_expires_at = excluded.lease_expires_at
          where event_leases.relay_id = excluded.relay_id or event_leases.lease_expires_at <= now()
        returning event_id
      )
      select candidate.*,
        exists (select from webhook_deliveries where event_id = candidate.id) as has_rows,
        -- In the snapshot that sees the events: no endpoint that committed before one of them is missed.
        exists (select from webhook_endpoints where changed_xid >= ${since}::xid8
          and changed_xid < pg_snapshot_xmax(pg_current_snapshot())) as is_stale
      from candidate join leased on leased.event_id = candidate.id order by candidate.id`;
    const events = rows.map(({ body, traceparent, isStale: _isStale, ...event }) => ({
      ...event,
      stored: { body: Buffer.from(body), traceparent },
      leaseEndsMs: startedAtMs + this.#leaseMs,
    }));
    return { events, isStale: rows.some(({ isStale }) => isStale) };
  }

  /** SQL: whether no other relay has the event. A relay leaves out its own events by their ids. */
  #isFree() {
    return this.#sql`not exists (
      select from event_leases where event_id = events.id and relay_id <> ${this.#relayId}::uuid
        and lease_expires_at > now())`;
  }
}

const ROWS_PER_STEP = 5_000;

/**
 * Deletes leases that have ended: their events are done, or free for every relay again. Returns how many
 * leases ended, and how many of their events were not done because a relay was killed.
 */
export async function sweepLeases(sql: Queryable): Promise<{ ended: number; unfinished: number }> {
  const [row] = await sql<{ ended: number; unfinished: number }[]>`
    with expired as (
      select event_id from event_leases where lease_expires_at < now()
      order by lease_expires_at limit ${ROWS_PER_STEP} for update skip locked
    ), deleted as (
      delete from event_leases where event_id = any(array(select event_id from expired)) returning event_id
    )
    select count(*)::int as ended, (count(*) filter (where exists (
        select from events where id = deleted.event_id and fanned_out_at is null)))::int as unfinished
    from deleted where ${asynchronousCommit(sql)}`;
  return row ?? { ended: 0, unfinished: 0 };
}

/** Marks events whose delivery rows all exist. A mark lost with the database makes the reconciler fan them out again. */
export async function markFannedOut(sql: Database, eventIds: readonly string[]): Promise<void> {
  await sql`
    update events set fanned_out_at = now()
    where id = any(${[...eventIds]}::uuid[]) and fanned_out_at is null and ${asynchronousCommit(sql)}`;
}
