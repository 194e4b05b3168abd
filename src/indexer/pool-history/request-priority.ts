import type { AccountStates } from './account-states.ts';

/** After this many requests a history no longer goes first. A burst that is read in blocks needs few. */
const URGENT_REQUESTS_MAX = 128;
const URGENT_SETBACKS_MAX = 2;

/**
 * Whether the requests of one pool go before those of other pools: while a user may wait for its newest
 * transactions. A long history is not urgent, and a pool that cannot be read is not either.
 */
export class RequestPriority {
  /** Consecutive steps without progress. */
  setbacks = 0;
  /** Requests of the current walk. */
  requestCount = 0;
  readonly #states: AccountStates;

  constructor(states: AccountStates) {
    this.#states = states;
  }

  get isUrgent(): boolean {
    return (
      this.#states.isUrgent && this.setbacks <= URGENT_SETBACKS_MAX && this.requestCount < URGENT_REQUESTS_MAX
    );
  }
}
