import type { Schemas } from '../operations.ts';

/** The types of events, as `type` of an event names them. */
export type EventType = keyof Schemas['EventData'];

/** `data` of an event of a type. */
export type EventData<Type extends EventType> = Schemas['EventData'][Type];

interface Envelope<Type extends EventType> {
  specversion: '1.0';
  /** The same on every attempt and replay; equals the header `webhook-id`. */
  id: string;
  /** Address of the API that sent the event. */
  source: string;
  type: Type;
  /** What the event is about, for example a mint or the id of an intent. */
  subject: string;
  /** When it happened, RFC 3339. */
  time: string;
  datacontenttype: string;
  /** Address of the JSON Schema of `data`. */
  dataschema: string;
  data: EventData<Type>;
}

/** A CloudEvent of this API. `switch (event.type)` gives `data` its type; newer servers may send further types. */
export type WebhookEvent<Type extends EventType = EventType> = { [Each in Type]: Envelope<Each> }[Type];

/** Narrows an event without a switch. */
export function isEventOfType<Type extends EventType>(
  event: WebhookEvent,
  type: Type,
): event is Extract<WebhookEvent, { type: Type }> {
  return event.type === type;
}
