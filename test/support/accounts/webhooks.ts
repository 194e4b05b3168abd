import type { Database } from '../../../src/db/client.ts';
import { deliveryStatuses, disabledReasons } from '../../../src/db/values/webhooks.ts';
import {
  type EventName,
  eventCatalogue,
  eventNames,
  eventType,
} from '../../../src/shared/events/catalogue.ts';
import { insertAttempt } from '../rows/insert-attempt.ts';
import { insertDelivery } from '../rows/insert-delivery.ts';
import { insertEndpoint, type NewEndpoint } from '../rows/insert-endpoint.ts';
import { insertEvent } from '../rows/insert-event.ts';
import { insertRows } from '../rows/insert-rows.ts';
import type { Owner } from './owner.ts';

type Subjects = Record<'intent' | 'order' | 'operation' | 'prediction', readonly string[]>;

export function insertOwnEndpoint(
  db: Database,
  { accountId, mark }: Owner,
  changes: Partial<NewEndpoint> = {},
): Promise<string> {
  const url = `http://127.0.0.1:8080/${mark}`;
  return insertEndpoint(db, { accountId, url, description: `endpoint ${mark}`, ...changes });
}

/**
 * Inserts endpoints in every state, account events of every type, and deliveries in every state to an existing and to a
 * deleted endpoint. Each delivery has two attempts.
 */
export async function insertWebhooks(db: Database, owner: Owner, subjects: Subjects) {
  const enabled = await insertOwnEndpoint(db, owner);
  const deleted = await insertOwnEndpoint(db, owner, { deletedAt: new Date() });
  const endpoint = [enabled, deleted];
  for (const disabledReason of disabledReasons)
    endpoint.push(await insertOwnEndpoint(db, owner, { status: 'disabled', disabledReason }));

  const event: string[] = [];
  for (const name of eventNames)
    if (eventCatalogue[name].audience === 'account')
      event.push(await insertOwnEvent(db, owner, name, subjectOf(name, { ...subjects, endpoint })));
  await insertRows(db, 'event_leases', [
    { eventId: event[0], relayId: crypto.randomUUID(), leaseExpiresAt: new Date() },
  ]);

  const delivery: string[] = [];
  for (const endpointId of [enabled, deleted])
    for (const status of deliveryStatuses) {
      const eventId = await insertOwnEvent(db, owner, 'operation.succeeded', subjects.operation[0] ?? '');
      const id = await insertDelivery(db, { endpointId, eventId, status, lastErrorCode: owner.mark });
      for (const attemptNumber of [1, 2])
        await insertAttempt(db, {
          deliveryId: id,
          attemptNumber,
          responseBody: Buffer.from(`answer ${owner.mark}`),
        });
      event.push(eventId);
      delivery.push(id);
    }
  await insertRows(db, 'stream_followers', [{ accountId: owner.accountId, until: new Date() }]);
  return { endpoint, event, delivery };
}

/** Inserts an account event that contains the account's mark. */
export function insertOwnEvent(
  db: Database,
  { accountId, mark }: Owner,
  name: EventName,
  subject: string,
): Promise<string> {
  const type = eventType(name);
  return insertEvent(db, {
    accountId,
    type,
    subject,
    body: JSON.stringify({ type, subject, data: { of: mark } }),
    isFannedOut: true,
  });
}

function subjectOf(name: EventName, ids: Subjects & { endpoint: readonly string[] }): string {
  const [of] = eventCatalogue[name].subject.split(' ');
  return ids[of as keyof typeof ids]?.[0] ?? '';
}
