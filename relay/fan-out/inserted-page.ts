import type { EventBatch } from './event-batch.ts';

/** The delivery rows that one statement inserted for a page of endpoints. */
export interface InsertedPage {
  inserted: number;
  /** Of these, the ones that no relay has claimed yet. */
  pending: number;
  /** The last endpoint of a full page, null when there are no more. */
  lastId: string | null;
}

/** Inserts a page's rows and claims them (dispatcher.ts); null when nothing can be claimed now, and nothing is inserted. */
export type InsertClaimed = (batch: EventBatch, after: string | null) => Promise<InsertedPage | null>;
