/** Public events, or events that are addressed to one account. */
export type Audience = 'public' | 'account';

/** What an attempt needs to know about its event. */
export interface StoredEvent {
  /** Sent unchanged. */
  body: Uint8Array;
  /** W3C trace context of what caused the event; null without tracing. */
  traceparent: string | null;
}

/** Stands in for an event that is lost: the attempts of its delivery fail, and no others. */
export const MISSING_EVENT: StoredEvent = { body: new Uint8Array(), traceparent: null };
