import type { TSchema } from '@sinclair/typebox';

/** What the documentation says of one event type. Text may hold `code` in backticks. */
export interface DocumentedEvent {
  /** The schema of `data`. */
  schema: TSchema;
  /** The fact that the event reports. */
  meaning: string;
  /** Describes `data` in words. */
  data: string;
  /** The usual reaction of a receiver. */
  reaction: string;
  /** An example of the event's `subject`. */
  subject: string;
  /** An example of `data`, made of recorded responses (`npm run examples:write`), in the state that the event reports. */
  example: object;
}

export const EXAMPLE_SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
/** A time after those of the recorded responses. */
export const LATER = '2026-11-25T10:00:00.000Z';
