import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';
import type { FollowedSubjects } from '../followed/followed-subjects.ts';
import type { OrderMoves } from '../store/trigger-orders.ts';

/** The dependencies of most kinds of messages. Other kinds declare their own. */
export interface KindDependencies {
  db: Database;
  clock: Clock;
  /** The subjects that endpoints follow, kept from batch to batch. */
  followed: FollowedSubjects;
  /** Called after a commit that queued trades for their events. */
  onTradesQueued(): void;
  /** Moves the orders that trades trigger. */
  orders: OrderMoves;
  /** Called after a commit that triggered orders. */
  onOrdersTriggered(): void;
  /** Called after a commit, because caches of these tokens are stale then. */
  onTokensChanged(mintAddresses: readonly string[]): void;
  /** Called after a commit, because caches of the staking of these tokens are stale then. */
  onStakingChanged(mintAddresses: readonly string[]): void;
}
