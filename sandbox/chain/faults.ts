/** What one RPC node does wrong. Anything left out is off; `{}` is a healthy node. */
export interface Faults {
  /** The next N sends (or all) are acknowledged with their signature and never land. */
  readonly dropSends?: number | 'all';
  /** Sends land this many slots later; one whose blockhash has expired by then never lands. */
  readonly delaySlots?: number;
  /** Every send is delivered a second time, in the next slot; the chain must take it only once. */
  readonly duplicateSends?: boolean;
  /** sendTransaction answers with a signature that is not the transaction's; the transaction lands normally. */
  readonly wrongSignature?: boolean;
  /** The node sees slots, heights, accounts, statuses and transactions as of this many slots ago. */
  readonly lagSlots?: number;
  /** HTTP 429 with Retry-After for the next N requests, or until cleared. */
  readonly rateLimit?: { readonly requests: number | 'all'; readonly retryAfterSeconds: number };
  /** `unavailable`: HTTP 503 to everything. `refuse`: nothing listens on the port (library use only). */
  readonly down?: 'unavailable' | 'refuse';
  /** getSignatureStatuses answers null for every signature. */
  readonly hideStatuses?: boolean;
  /** WebSockets connect, acknowledge subscriptions, and then say nothing. */
  readonly silentSockets?: boolean;
  /** Every answer is held back this long. */
  readonly latencyMs?: number;
}

/** The faults of one node with the counters that run down. */
export class FaultState {
  #faults: Faults = {};
  #dropsLeft = 0;
  #rateLimitedLeft = 0;

  /** Replaces all faults; counters start anew. */
  set(faults: Faults): void {
    this.#faults = faults;
    this.#dropsLeft = countOf(faults.dropSends);
    this.#rateLimitedLeft = countOf(faults.rateLimit?.requests);
  }

  get current(): Faults {
    return this.#faults;
  }

  /** True when this send is to be swallowed; uses up one of the N. */
  takeDrop(): boolean {
    if (this.#dropsLeft <= 0) return false;
    this.#dropsLeft -= 1;
    return true;
  }

  /** Seconds for Retry-After when this request is to be refused with 429, else null; uses up one of the N. */
  takeRateLimit(): number | null {
    if (this.#rateLimitedLeft <= 0) return null;
    this.#rateLimitedLeft -= 1;
    return this.#faults.rateLimit?.retryAfterSeconds ?? 1;
  }
}

function countOf(limit: number | 'all' | undefined): number {
  return limit === 'all' ? Number.POSITIVE_INFINITY : (limit ?? 0);
}

/** Checks faults that came over RPC. Returns a sentence about the first mistake, or null. */
export function faultsProblem(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'faults must be an object';
  for (const [name, given] of Object.entries(value)) {
    const check = CHECKS[name];
    if (check === undefined) return `unknown fault ${name}`;
    if (!check(given)) return `fault ${name} has an invalid value`;
  }
  return null;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isLimit = (value: unknown): boolean => value === 'all' || isCount(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  dropSends: isLimit,
  delaySlots: isCount,
  duplicateSends: isFlag,
  wrongSignature: isFlag,
  lagSlots: isCount,
  rateLimit: (value) =>
    typeof value === 'object' &&
    value !== null &&
    'requests' in value &&
    isLimit(value.requests) &&
    'retryAfterSeconds' in value &&
    isCount(value.retryAfterSeconds),
  down: (value) => value === 'unavailable' || value === 'refuse',
  hideStatuses: isFlag,
  silentSockets: isFlag,
  latencyMs: isCount,
};
