import { CloudEvent } from 'cloudevents';
import { unpublishedLimits } from '../shared/contract-limits.ts';
import { type EventName, eventType } from '../shared/events/catalogue.ts';

/** Intermediaries must forward events of up to 64 KiB (CloudEvents 1.0, "Size Limits"); ours are never larger. */
export const EVENT_BYTES_MAX = unpublishedLimits.eventBytes;

/** The names of this deployment in its events. */
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

export type EventSerialiser = (facts: EventFacts) => string;

/**
 * Returns a serialiser of CloudEvents 1.0 structured events (contract/events#envelope). The bytes are stored,
 * and sent unchanged on every attempt. The serialiser throws when an attribute is invalid or the event is
 * larger than 64 KiB.
 */
export function createEventSerialiser({ source, docsUrl }: EventOrigin): EventSerialiser {
  /** Schemas by type; each type here has passed the check. */
  const schemas = new Map<string, string>();
  return ({ id, name, subject, time, data }) => {
    const type = eventType(name);
    const event = {
      specversion: '1.0',
      id,
      source,
      type,
      subject,
      time: time.toISOString(),
      datacontenttype: 'application/json',
      dataschema: schemas.get(type) ?? `${docsUrl}/reference/events/${type}`,
      data,
    };
    // The library's check takes 19 us. Within a type only the id and the time differ, which are ours, and the
    // subject.
    if (subject === '') throw new RangeError(`event ${type} has no subject`);
    if (!schemas.has(type)) {
      new CloudEvent(event).validate();
      schemas.set(type, event.dataschema);
    }
    const body = JSON.stringify(event);
    // A UTF-16 code unit has at most three bytes in UTF-8.
    if (3 * body.length > EVENT_BYTES_MAX && Buffer.byteLength(body) > EVENT_BYTES_MAX)
      throw new RangeError(`event ${type} is larger than 64 KiB`);
    return body;
  };
}
