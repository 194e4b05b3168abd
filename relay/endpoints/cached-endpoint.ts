import type { MatchedEndpoint } from '../../src/shared/webhooks/receives-event.ts';
import type { ClaimedEndpoint } from '../dispatch/claim.ts';

/** An enabled endpoint: what decides about its events, and what an attempt needs. */
export interface CachedEndpoint extends ClaimedEndpoint, MatchedEndpoint {
  /** Monotonic; no attempt before. */
  pausedUntilMs: number;
  /** When that was read, or recorded; monotonic. */
  pauseReadMs: number;
}
