import type { Transaction } from '../../../db/client.ts';
import {
  type EndpointColumns,
  endpointRecord,
  type ShownEndpointRecord,
  shownEndpointRecord,
} from '../../../shared/webhooks/endpoint-record.ts';
import { allowedUrl, type CheckedDestination } from './allowed-url.ts';
import type { EndpointDependencies, EndpointTarget } from './dependencies.ts';
import { distinctSubjects, knownFilters } from './event-filters.ts';
import { type EndpointFilters, requireUsableFilters } from './followed-subjects.ts';
import { lockEndpoint, saveEndpoint } from './rows.ts';
import { changeableFields } from './schema.ts';
import { subjectsInRow, writeFollowedSubjects } from './store-subjects.ts';

export interface EndpointChange {
  description?: string | null;
  eventTypes?: string[];
  subjects?: string[] | null;
  status?: 'enabled' | 'disabled';
  /** The checked new URL; null when the URL stays. */
  destination: CheckedDestination | null;
}

/**
 * Changes an endpoint. Enabling it, or a new URL, ends a pause of the old destination and forgets its
 * failures (contract/webhooks#change). Enabling sends a `webhook.ping`, disabling a
 * `webhook_endpoint.disabled`, any other change a `webhook_endpoint.changed`. Throws `webhook_endpoint_not_found`, `insufficient_scope`,
 * `precondition_failed`, `webhook_url_disallowed`, and `validation_failed` for filters that match nothing,
 * trades without subjects, too many subjects and subjects that none of these events has.
 */
export async function changeEndpoint(
  transaction: Transaction,
  target: EndpointTarget,
  { description, eventTypes, subjects, status, destination }: EndpointChange,
  { outbox, clock }: Pick<EndpointDependencies, 'outbox' | 'clock'>,
): Promise<ShownEndpointRecord> {
  const { endpointId, accountId, keyId } = target;
  const before = await lockEndpoint(transaction, target);
  const isEnabled = status === 'enabled' && before.status === 'disabled';
  const isDisabled = status === 'disabled' && before.status === 'enabled';
  const filters = changedFilters(before, { eventTypes, subjects });
  if (filters !== null) await writeFollowedSubjects(transaction, endpointId, filters);
  const now = clock.now();
  const fresh = { pausedUntil: null, judgedFrom: now, failingSince: null };
  const row = await saveEndpoint(
    transaction,
    endpointId,
    {
      ...(description !== undefined && { description }),
      ...(filters !== null && { eventTypes: [...filters.eventTypes], subjects: subjectsInRow(filters) }),
      ...(destination !== null && { url: allowedUrl(destination), ...fresh }),
      ...(isEnabled && { status: 'enabled', disabledReason: null, ...fresh }),
      ...(isDisabled && { status: 'disabled', disabledReason: 'manual' }),
    },
    now,
  );
  const event = { subject: endpointId, accountId };
  if (isEnabled) {
    const ping = {
      ...event,
      name: 'webhook.ping',
      data: { endpointId },
      onlyEndpointId: endpointId,
    } as const;
    await outbox.append(transaction, ping);
  }
  if (isDisabled)
    await outbox.append(transaction, {
      ...event,
      name: 'webhook_endpoint.disabled',
      data: endpointRecord(row),
    });
  const changes = changedFields(before, row).filter((name) => name !== 'status' || isEnabled);
  if (changes.length > 0)
    await outbox.append(transaction, {
      ...event,
      name: 'webhook_endpoint.changed',
      data: { ...endpointRecord(row), byKeyId: keyId, changes },
    });
  return shownEndpointRecord(row);
}

function changedFields(before: EndpointColumns, after: EndpointColumns) {
  return changeableFields.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** The filters after a change; null when it changes none. Throws `validation_failed`. */
function changedFilters(
  before: EndpointFilters,
  { eventTypes, subjects }: { eventTypes: string[] | undefined; subjects: string[] | null | undefined },
): EndpointFilters | null {
  if (eventTypes === undefined && subjects === undefined) return null;
  const filters = {
    eventTypes: eventTypes === undefined ? before.eventTypes : knownFilters(eventTypes),
    subjects: subjects === undefined ? before.subjects : subjects,
  };
  requireUsableFilters(filters, subjects === undefined ? 'eventTypes' : 'subjects');
  return { ...filters, subjects: distinctSubjects(filters.subjects) };
}
