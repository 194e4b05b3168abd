import type { JsMsg } from '@nats-io/jetstream';

/** Set by the outbox publisher; JetStream drops a second copy within its duplicate window. */
const EVENT_ID_HEADER = 'Nats-Msg-Id';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * The event id a bus message announces, or null when it is none of ours. The payload is not looked at: what
 * gets sent is read from Postgres.
 */
export function announcedEventId(message: Pick<JsMsg, 'headers'>): string | null {
  const id = message.headers?.get(EVENT_ID_HEADER) ?? '';
  return UUID.test(id) ? id : null;
}
