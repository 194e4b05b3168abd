import { CloudEvent } from 'cloudevents';
import { unpublishedLimits } from '../shared/contract-limits.ts';
import { type EventName, eventType } from '../shared/events/catalogue.ts';

/** Intermediaries must forward events of up to 64 KiB (CloudEvents 1.0, "Size Limits"); ours are never larger. */
export const EVENT_BYTES_MAX = unpublishedLimits.eventBytes;

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

/** Serialises the events of a deployment. */
export type EventSerialiser = (facts: EventFacts) => string;

/**
 * Serialises CloudEvents 1.0 structured events (contract/events#envelope). Such bytes are stored and sent unchanged on every attempt. The
 * serialiser throws when an attribute is invalid or the event is larger than 64 KiB.
 */
export function createEventSerialiser({ source, docsUrl }: EventOrigin): EventSerialiser {
  /** By the types that were checked. */
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
    // The library's check takes 19 us. All that differs within a type is id and time, which are ours, and the subject.
    if (subject === '') throw new RangeError(`event ${type} has no subject`);
    if (!schemas.has(type)) {
      new CloudEvent(event).validate();
      schemas.set(type, event.dataschema);
    }
    const body = JSON.stringify(event);
    // A character of UTF-16 has at most three bytes.
    if (3 * body.length > EVENT_BYTES_MAX && Buffer.byteLength(body) > EVENT_BYTES_MAX)
      throw new RangeError(`event ${type} is larger than 64 KiB`);
    return body;
  };
}
