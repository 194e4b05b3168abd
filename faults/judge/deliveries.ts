import { receivesEvent } from '../../src/shared/webhooks/receives-event.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { DeliveryFact } from '../evidence/facts.ts';

/** Every endpoint that nobody changed has a succeeded delivery of every event it receives, and its receiver got it. */
export function everyEventIsDelivered({ histories, database }: Evidence): string[] {
  const endpoints = new Map(database.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const deliveries = Map.groupBy(
    database.deliveries,
    ({ endpointId, eventId }) => `${endpointId} ${eventId}`,
  );
  return histories.receivers.flatMap(({ name, endpointId, isStable, accepted }) => {
    if (!isStable) return [];
    const endpoint = endpoints.get(endpointId);
    if (endpoint === undefined) return [`the endpoint of ${name} is gone`];
    return database.events
      .filter((event) => receivesEvent(endpoint, event))
      .flatMap(({ id, type }) => {
        const rows = deliveries.get(`${endpointId} ${id}`) ?? [];
        const [delivery] = rows;
        if (delivery === undefined) return [`${name} has no delivery of ${type} ${id}`];
        return [
          ...(rows.length > 1 ? [`${name} has ${rows.length} deliveries of ${type} ${id}`] : []),
          ...(delivery.status === 'succeeded'
            ? []
            : [`the delivery of ${type} ${id} to ${name} is ${delivery.status}`]),
          ...(isRecorded(delivery)
            ? []
            : [`the delivery of ${type} ${id} to ${name} does not match its attempts`]),
          ...(accepted.has(id) ? [] : [`${name} never got ${type} ${id}`]),
        ];
      });
  });
}

/** The delivery counts each attempt once, and it succeeded exactly when one of them did. */
function isRecorded({ status, attemptCount, attempts }: DeliveryFact): boolean {
  return (
    attempts.count === attemptCount &&
    attempts.lastNumber === attemptCount &&
    attempts.hasSuccess === (status === 'succeeded')
  );
}

/** Nobody but the service sent anything, and everything that it sent verifies. */
export function receiversBelieveOnlyGenuine({ histories, database }: Evidence): string[] {
  const events = new Set(database.events.map(({ id }) => id));
  return histories.receivers.flatMap(({ name, unverified, accepted }) => [
    ...unverified.map((reason) => `${name} did not believe ${reason}`),
    ...[...accepted.keys()]
      .filter((id) => !events.has(id))
      .map((id) => `${name} got ${id}, which is no event`),
  ]);
}
