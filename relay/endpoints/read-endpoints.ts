import type { Database, Queryable } from '../../src/db/client.ts';
import { allSubjects } from '../../src/db/endpoint-columns.ts';
import type { MatchedEndpoint } from '../../src/shared/webhooks/receives-event.ts';
import type { ClaimedEndpoint } from '../model/claim.ts';

/** An enabled endpoint, with the fields that decide which events it receives and the fields of an attempt. */
export interface CachedEndpoint extends ClaimedEndpoint, MatchedEndpoint {
  /** No attempt is made before this time; monotonic. */
  pausedUntilMs: number;
  /** When the pause was read or recorded; monotonic. */
  pauseReadMs: number;
}

/** A row of an endpoint that may have changed. */
export interface ChangedEndpoint extends Omit<CachedEndpoint, 'pausedUntilMs' | 'pauseReadMs'> {
  isEnabled: boolean;
  /** Null or negative if it is not paused. */
  pausedForMs: number | null;
}

/**
 * The endpoints that transactions from `since` on have changed, as far as this statement's snapshot sees them; none if
 * `since` is null. The new `since` is the oldest transaction that still runs, because this snapshot does not see its
 * changes.
 */
export async function readChangedEndpoints(
  sql: Database,
  since: string | null,
): Promise<{ since: string; changed: ChangedEndpoint[] }> {
  const rows = await sql<({ since: string } & (ChangedEndpoint | { id: null }))[]>`
    select snapshot.since::text as since, endpoint.*
    from (select pg_snapshot_xmin(pg_current_snapshot()) as since, pg_snapshot_xmax(pg_current_snapshot()) as until)
      as snapshot
    left join lateral (
      select ${endpointColumns(sql)} from webhook_endpoints
      -- After a restore into another cluster, stamps may be from the future.
      where changed_xid >= ${since}::xid8 and changed_xid < snapshot.until
    ) as endpoint on true`;
  const [first] = rows;
  if (first === undefined) throw new Error('the snapshot returned no row');
  return { since: first.since, changed: rows.flatMap((row) => (row.id === null ? [] : [row])) };
}

/** A page of the enabled endpoints, in id order. */
export async function readEnabledEndpoints(
  sql: Database,
  after: string | null,
  limit: number,
): Promise<ChangedEndpoint[]> {
  return await sql<ChangedEndpoint[]>`
    select ${endpointColumns(sql)} from webhook_endpoints
    where status = 'enabled' and deleted_at is null ${after === null ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${limit}`;
}

function endpointColumns(sql: Queryable) {
  return sql`id, account_id, url, sealed_secret, sealed_previous_secret, previous_secret_expires_at, event_types,
    event_scopes, ${allSubjects(sql)}, created_at, status = 'enabled' and deleted_at is null as is_enabled,
    (extract(epoch from paused_until - now()) * 1000)::float8 as paused_for_ms`;
}
