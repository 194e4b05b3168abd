import { CloudEvent } from 'cloudevents';
import { type EventName, eventType } from '../shared/events/catalogue.ts';

/** Intermediaries must forward events of up to 64 KiB (CloudEvents 1.0, "Size Limits"); ours are never larger. */
export const EVENT_BYTES_MAX = 65_536;

/** Where this deployment's events say they come from. */
export interface EventOrigin {
  /** CloudEvents `source`: `PUBLIC_URL` + `/api/v2`. */
  source: string;
  /** Base of the schemas named in `dataschema`. */
  docsUrl: string;
}

export interface EventFacts {
  /** UUIDv7. */
  id: string;
  name: EventName;
  subject: string;
  time: Date;
  data: unknown;
}

/**
 * Serialises a CloudEvents 1.0 structured event (D13). These bytes are stored and sent unchanged on every
 * attempt. Throws when an attribute is invalid or the event is larger than 64 KiB.
 */
export function serialiseEvent(origin: EventOrigin, { id, name, subject, time, data }: EventFacts): string {
  const type = eventType(name);
  const event = new CloudEvent({
    specversion: '1.0',
    id,
    source: origin.source,
    type,
    subject,
    time: time.toISOString(),
    datacontenttype: 'application/json',
    dataschema: `${origin.docsUrl}/reference/events/${type}`,
    data,
  });
  const body = JSON.stringify(event);
  if (Buffer.byteLength(body) > EVENT_BYTES_MAX) throw new RangeError(`event ${type} is larger than 64 KiB`);
  return body;
}
