import { lockAccount } from '../../../db/account-lock.ts';
import type { Transaction } from '../../../db/client.ts';
import { endpointColumns } from '../../../db/endpoint-columns.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { timedId } from '../../../shared/timed-id.ts';
import {
  type EndpointColumns,
  endpointRecord,
  type ShownEndpointRecord,
  shownEndpointRecord,
} from '../../../shared/webhooks/endpoint-record.ts';
import { generateWebhookSecret, sealWebhookSecret } from '../../../shared/webhooks/secret.ts';
import { allowedUrl, type CheckedDestination } from './allowed-url.ts';
import type { EndpointDependencies } from './dependencies.ts';
import { subjectsInRow, writeFollowedSubjects } from './store-subjects.ts';

export interface EndpointRequest {
  accountId: string;
  /** The key of the request. */
  keyId: string;
  description: string | null;
  eventTypes: readonly string[];
  /** Null for all subjects. */
  subjects: readonly string[] | null;
  /** Scopes of the account events that it receives (contract/webhooks#event-scopes). */
  eventScopes: readonly string[];
  destination: CheckedDestination;
}

/**
 * Creates an enabled endpoint and sends it one `webhook.ping`. A name that does not resolve is accepted,
 * because every attempt judges it again. Throws `webhook_endpoint_limit_reached`, `webhook_url_disallowed`.
 */
export async function createEndpoint(
  transaction: Transaction,
  { accountId, keyId, description, eventTypes, subjects, eventScopes, destination }: EndpointRequest,
  { outbox, secrets, clock }: EndpointDependencies,
): Promise<ShownEndpointRecord & { secret: string }> {
  const limit = publishedLimits.webhookEndpointsPerAccount;
  if ((await countEndpointsLocked(transaction, accountId)) >= limit) {
    throw new Problem('webhook_endpoint_limit_reached', { context: { limit } });
  }
  const url = allowedUrl(destination);
  const now = clock.now();
  const id = timedId(now);
  const secret = generateWebhookSecret();
  const sealedSecret = sealWebhookSecret(secrets, id, secret);
  const filters = { eventTypes, subjects };
  const row = await insertEndpoint(transaction, {
    id,
    accountId,
    url,
    description,
    eventTypes,
    subjects: subjectsInRow(filters),
    eventScopes,
    sealedSecret,
    now,
  });
  await writeFollowedSubjects(transaction, id, filters);
  const complete = {
    ...row,
    subjects: subjects === null ? null : [...subjects],
    eventScopes: [...eventScopes],
  };
  // Dated before the endpoint, which gets the ping alone: it is for the others of the account.
  const time = new Date(now.getTime() - 1);
  const created = { name: 'webhook_endpoint.created', subject: id, accountId, time } as const;
  await outbox.append(transaction, { ...created, data: { ...endpointRecord(complete), byKeyId: keyId } });
  const data = { endpointId: id };
  await outbox.append(transaction, {
    name: 'webhook.ping',
    subject: id,
    accountId,
    data,
    onlyEndpointId: id,
  });
  return { ...shownEndpointRecord({ ...complete, pausedUntil: null, pauseReason: null }), secret };
}

/** Number of endpoints of the account; no other transaction can add one until this one ends. */
async function countEndpointsLocked(transaction: Transaction, accountId: string): Promise<number> {
  await lockAccount(transaction, accountId);
  const [row] = await transaction<{ count: number }[]>`
    select count(*)::int as count from webhook_endpoints
    where account_id = ${accountId} and deleted_at is null`;
  return row?.count ?? 0;
}

interface NewEndpoint {
  id: string;
  accountId: string;
  url: string;
  description: string | null;
  eventTypes: readonly string[];
  subjects: readonly string[] | null;
  eventScopes: readonly string[];
  sealedSecret: Uint8Array;
  now: Date;
}

async function insertEndpoint(
  transaction: Transaction,
  { id, accountId, url, description, eventTypes, subjects, eventScopes, sealedSecret, now }: NewEndpoint,
): Promise<EndpointColumns> {
  const [row] = await transaction<EndpointColumns[]>`
    insert into webhook_endpoints
      (id, account_id, url, description, event_types, subjects, event_scopes, status, sealed_secret, secret_rotated_at,
       version, judged_from, created_at, updated_at)
    values (${id}, ${accountId}, ${url}, ${description}, ${[...eventTypes]},
            ${subjects === null ? null : [...subjects]}, ${[...eventScopes]}, 'enabled', ${sealedSecret}, ${now}, 1,
            ${now}, ${now}, ${now})
    returning ${endpointColumns(transaction)}`;
  if (row === undefined) throw new Error('an inserted endpoint was not returned');
  return row;
}
