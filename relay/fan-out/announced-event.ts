import type { JsMsg } from '@nats-io/jetstream';

/** Set by the outbox publisher; JetStream drops a second copy within its duplicate window. */
const EVENT_ID_HEADER = 'Nats-Msg-Id';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The id of the event that a bus message announces, or null when it announces none. The payload is not read: what
 * is sent comes from Postgres.
 */
export function announcedEventId(message: Pick<JsMsg, 'headers'>): string | null {
  const id = message.headers?.get(EVENT_ID_HEADER) ?? '';
  return UUID.test(id) ? id : null;
}
