import type { Database, Transaction } from '../../db/client.ts';
import type { Outbox } from '../../outbox/append.ts';
import type { Clock } from '../../shared/clock.ts';
import type { DistributionFact } from '../store/fee-distributions.ts';
import type { MovementMessage } from './kinds/presale-movement.ts';
import type { TokenMessage } from './kinds/token.ts';
import type { Verdict } from './verdict.ts';

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

/** Applies deposits, refunds and claims by the rules of presales: one verdict each, in order. */
export type RecordMovements = (
  transaction: Transaction,
  clock: Clock,
  movements: readonly MovementMessage[],
) => Promise<{ verdicts: Verdict[]; changedPresales: readonly string[] }>;

/** What applying messages needs. */
export interface IngestContext {
  db: Database;
  outbox: Outbox;
  clock: Clock;
  upsertToken: UpsertToken;
  /** The public record of a payment of fees, as its event carries it. */
  describeFeeDistribution(distribution: DistributionFact): unknown;
  recordMovements: RecordMovements;
  /** Called after a commit: caches of these tokens are stale. */
  onTokensChanged(mintAddresses: readonly string[]): void;
  /** The same for the staking of these tokens. */
  onStakingChanged(mintAddresses: readonly string[]): void;
  /** The same for these presales. */
  onPresalesChanged(ids: readonly string[]): void;
  /** Called after a commit that added events to the outbox. */
  onEventsAdded(): void;
}
