import type { Database } from '../../db/client.ts';
import type { Clock } from '../../shared/clock.ts';

/** What applying messages of any kind may need; kinds that need more say so themselves. */
export interface KindDependencies {
  db: Database;
  clock: Clock;
  /** Called after a commit: caches of these tokens are stale. */
  onTokensChanged(mintAddresses: readonly string[]): void;
  /** The same for the staking of these tokens. */
  onStakingChanged(mintAddresses: readonly string[]): void;
}
