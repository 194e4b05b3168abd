/** Events are public, or addressed to one account. */
export type Audience = 'public' | 'account';

/** The fields of an event that an attempt needs. */
export interface StoredEvent {
  /** Sent unchanged. */
  body: Uint8Array;
  /** W3C trace context of the cause of the event; null if nothing was traced. */
  traceparent: string | null;
}

/** Takes the place of a lost event, so that only the attempts of its delivery fail. */
export const MISSING_EVENT: StoredEvent = { body: new Uint8Array(), traceparent: null };
