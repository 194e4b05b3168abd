import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import { rowById } from '../../src/db/row-look-up.ts';
import type { MatchedEvent } from '../../src/shared/webhooks/receives-event.ts';
import type { Audience, StoredEvent } from '../model/event.ts';

export interface LeasedEvent extends MatchedEvent {
  id: string;
  stored: StoredEvent;
  /** Some of its deliveries have rows already. */
  hasRows: boolean;
  /** Monotonic. Unless the lease is renewed, other relays may take the event from then on. */
  leaseEndsMs: number;
}

export interface LeaseResult {
  events: LeasedEvent[];
  /** Endpoints have changed since this relay refreshed its copy of them. */
  isStale: boolean;
}

interface EventRow extends Omit<LeasedEvent, 'stored' | 'leaseEndsMs'> {
  body: string;
  traceparent: string | null;
  isStale: boolean;
}

/**
 * Leases events to this relay, so that no other one delivers them or inserts their rows meanwhile: the first step of
 * every path from an event to its deliveries. A lease stays when its event is done, to stop a relay whose snapshot is
 * older than the mark.
 */
export class EventLeases {
  readonly #sql: Database;
  readonly #relayId: string;
  readonly #leaseMs: number;
  readonly #endpointsSince: () => string | null;

  /** @param endpointsSince `EndpointCache.since`; null if there is no copy of the endpoints */
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

  /** Leases events with ids above `after` that no other live relay has. */
  async takeCommitted(
    audience: Audience,
    { after, limit, except }: { after: string; limit: number; except: readonly string[] },
  ): Promise<LeaseResult> {
    const sql = this.#sql;
    const ofAudience = audience === 'public' ? sql`account_id is null` : sql`account_id is not null`;
    return await this.#take(sql`
      ${ofAudience} and event_id > ${after}::uuid and event_id <> all(${[...except]}::uuid[])
        and ${this.#isFree()} order by event_id limit ${limit}`);
  }

  /** Leases events older than `ageMs` that no other live relay has. */
  async takeMissed(
    ageMs: number,
    { limit, except }: { limit: number; except: readonly string[] },
  ): Promise<LeaseResult> {
    const sql = this.#sql;
    return await this.#take(sql`
      created_at < now() - ${ageMs} * interval '1 millisecond'
        and event_id <> all(${[...except]}::uuid[]) and ${this.#isFree()} order by event_id limit ${limit}`);
  }

  /** Leases those of the events that are not marked and that no other live relay has. `unknownIds` name no event. */
  async takeAnnounced(ids: readonly string[]): Promise<LeaseResult & { unknownIds: string[] }> {
    const sql = this.#sql;
    const leased = await this.#take(sql`event_id = any(${[...ids]}::uuid[]) order by event_id`);
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

  async #take(candidates: ReturnType<Database>): Promise<LeaseResult> {
    const sql = this.#sql;
    const since = this.#endpointsSince();
    const startedAtMs = performance.now();
    const rows = await sql<EventRow[]>`
      with candidate as materialized (
        select id, type, subject, account_id, only_endpoint_id, created_at, body, traceparent
        from events_to_fan_out open, lateral (select * from events where ${rowById(sql, sql`id`, sql`open.event_id`)}) event
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

  /** SQL: whether no other relay has a lease of the event. A relay leaves out its own events by their ids. */
  #isFree() {
    return this.#sql`not exists (
      select from event_leases where event_leases.event_id = open.event_id and relay_id <> ${this.#relayId}::uuid
        and lease_expires_at > now())`;
  }
}
