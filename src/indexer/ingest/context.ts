import type { Database, Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import type { TokenMessage } from './token.ts';

/**
 * Stores a reported token and sends its launch events. Passed in, because the rules of tokens belong to their
 * feature, which the indexer does not import.
 */
export type UpsertToken = (
  transaction: Transaction,
  outbox: Outbox,
  clock: Clock,
  token: TokenMessage,
) => Promise<{ events: readonly string[] }>;

/** What applying messages needs. */
export interface IngestContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  upsertToken: UpsertToken;
  /** Called after a commit: caches of these tokens are stale. */
  onTokensChanged(mintAddresses: readonly string[]): void;
  /** Called after a commit that added events to the outbox. */
  onEventsAdded(): void;
}
