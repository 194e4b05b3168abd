import type { Queryable, Transaction } from '../../../db/client.ts';
import { endpointColumns, shownColumns } from '../../../db/endpoint-columns.ts';
import { Problem } from '../../../shared/problem.ts';
import type { EndpointColumns, ShownColumns } from '../../../shared/webhooks/endpoint-record.ts';
import { requireEndpointScopes } from '../../../shared/webhooks/endpoint-scopes.ts';
import type { EndpointTarget } from './dependencies.ts';

/** An endpoint of the account that is not deleted. Throws `webhook_endpoint_not_found`. */
export async function requireEndpoint(
  db: Queryable,
  endpointId: string,
  accountId: string,
): Promise<ShownColumns> {
  const [row] = await db<ShownColumns[]>`
    select ${shownColumns(db)} from webhook_endpoints
    where id = ${endpointId} and account_id = ${accountId} and deleted_at is null`;
  if (row === undefined) throw new Problem('webhook_endpoint_not_found');
  return row;
}

/**
 * Requires that the account has or had the endpoint: deliveries to a deleted endpoint stay readable
 * (contract/delivery#inactive-endpoints). Throws `webhook_endpoint_not_found`.
 */
export async function requireEndpointEver(
  db: Queryable,
  endpointId: string,
  accountId: string,
): Promise<void> {
  const { count } = await db`
    select from webhook_endpoints where id = ${endpointId} and account_id = ${accountId}`;
  if (count === 0) throw new Problem('webhook_endpoint_not_found');
}

export async function listEndpoints(db: Queryable, accountId: string): Promise<ShownColumns[]> {
  return db<ShownColumns[]>`
    select ${shownColumns(db)} from webhook_endpoints
    where account_id = ${accountId} and deleted_at is null order by id`;
}

/** An endpoint with its sealed secret and its scopes. */
export type LockedEndpoint = EndpointColumns & { sealedSecret: Uint8Array; eventScopes: string[] | null };

/**
 * Locks the endpoint for a change by a caller that may read its events; no other transaction changes it until
 * this one ends. Throws as `lockOwnEndpoint`, and `insufficient_scope`.
 */
export async function lockEndpoint(
  transaction: Transaction,
  target: EndpointTarget,
): Promise<LockedEndpoint> {
  const row = await lockAnyVersion(transaction, target);
  requireEndpointScopes(target, row.eventScopes);
  requireVersion(row, target);
  return row;
}

/**
 * Locks the endpoint for a change that reveals no events, whatever the caller's scopes. Throws
 * `webhook_endpoint_not_found` or, when the caller saw another version, `precondition_failed`.
 */
export async function lockOwnEndpoint(
  transaction: Transaction,
  target: EndpointTarget,
): Promise<LockedEndpoint> {
  const row = await lockAnyVersion(transaction, target);
  requireVersion(row, target);
  return row;
}

function requireVersion({ version }: LockedEndpoint, { expectedVersion }: EndpointTarget): void {
  if (version !== expectedVersion)
    throw new Problem('precondition_failed', { context: { currentVersion: version } });
}

async function lockAnyVersion(
  transaction: Transaction,
  { endpointId, accountId }: EndpointTarget,
): Promise<LockedEndpoint> {
  const [row] = await transaction<LockedEndpoint[]>`
    select ${endpointColumns(transaction)}, sealed_secret, event_scopes from webhook_endpoints
    where id = ${endpointId} and account_id = ${accountId} and deleted_at is null
    for no key update`;
  if (row === undefined) throw new Problem('webhook_endpoint_not_found');
  return row;
}

type EndpointChanges = Partial<{
  url: string;
  description: string | null;
  eventTypes: string[];
  subjects: string[] | null;
  status: 'enabled' | 'disabled';
  disabledReason: 'manual' | null;
  pausedUntil: null;
  judgedFrom: Date;
  failingSince: null;
  sealedSecret: Uint8Array;
  secretRotatedAt: Date;
  sealedPreviousSecret: Uint8Array | null;
  previousSecretExpiresAt: Date | null;
  deletedAt: Date;
}>;

/** Writes changes to a locked endpoint, as its next version. */
export async function saveEndpoint(
  transaction: Transaction,
  endpointId: string,
  changes: EndpointChanges,
  now: Date,
): Promise<ShownColumns> {
  const [row] = await transaction<ShownColumns[]>`
    update webhook_endpoints set ${transaction({ ...changes, updatedAt: now })}, version = version + 1
    where id = ${endpointId}
    returning ${shownColumns(transaction)}`;
  if (row === undefined) throw new Error('a locked endpoint vanished');
  return row;
}
