import { Pace } from '../endpoints/pace.ts';
import type { Slots } from '../endpoints/slots.ts';
import type { Claim } from '../model/claim.ts';
import type { StoredEvent } from '../model/event.ts';
import { Fifo } from '../model/fifo.ts';

export interface ClaimWindowsOptions {
  slots: Slots;
  /** Attempts that this relay may have in flight to an endpoint. */
  limitOf(endpointId: string): number;
  mayStart(): boolean;
  /** Whether a response has paused the endpoint; the database may not know it yet. */
  isPaused(endpointId: string): boolean;
  start(claim: Claim, event: StoredEvent, release: (endMs: number) => void): void;
  /** Frees these deliveries, so that any relay may claim them again. */
  giveBack(claims: readonly Claim[]): void;
}

interface WaitingClaim {
  claim: Claim;
  event: StoredEvent;
  /** Monotonic, not later than the beginning of the lease. */
  claimedAtMs: number;
}

interface Window {
  queue: Fifo<WaitingClaim>;
  pace: Pace;
}

/** Most claims that wait, for one endpoint and over all. */
const WAITING_MAX = { perEndpoint: 512, total: 1_024 } as const;
/**
 * An older claim is not started, because its attempt has to end, and its result has to be written, before its lease
 * ends (model/settings.ts).
 */
export const START_WITHIN_MS = 2_000;
/** After this wait a claim is given back, with all later ones of its endpoint. */
const GIVE_BACK_AFTER_MS = 1_000;
const IDLE_WINDOWS_MAX = 20_000;

/**
 * Claimed deliveries that wait for a slot of their endpoint, in order. The window of an endpoint that answers promptly
 * has room for what the endpoint takes in a quarter of a second, so that its slots are not empty during the next claim.
 * For any other endpoint no more is claimed than its slots take at once. Claims do not wait in the queues of new
 * deliveries (deliver/endpoint-queues.ts), because their leases run while they wait (docs/decisions/0055).
 */
export class ClaimWindows {
  readonly #options: ClaimWindowsOptions;
  readonly #windows = new Map<string, Window>();
  /** Endpoints with claims that wait. */
  readonly #waiting = new Set<string>();
  #waitingClaims = 0;

  constructor(options: ClaimWindowsOptions) {
    this.#options = options;
  }

  /** Claims that wait. */
  get size(): number {
    return this.#waitingClaims;
  }

  get hasRoom(): boolean {
    return this.#waitingClaims < WAITING_MAX.total;
  }

  /** Whether claims of the endpoint wait. */
  has(endpointId: string): boolean {
    return this.#waiting.has(endpointId);
  }

  /** How many deliveries may be claimed now. The window of a prompt endpoint is filled up when it is half empty. */
  room(endpointId: string): number {
    const { slots, limitOf, isPaused } = this.#options;
    if (isPaused(endpointId)) return 0;
    const left = Math.max(0, slots.left(endpointId));
    const window = this.#windows.get(endpointId);
    const queued = window?.queue.length ?? 0;
    if (!slots.isProven(endpointId)) return Math.max(0, left - queued);
    const windowSize = Math.min(
      WAITING_MAX.perEndpoint,
      (window?.pace ?? new Pace()).inWindow(limitOf(endpointId)),
    );
    return Math.max(left - queued, queued <= windowSize / 2 ? windowSize - queued : 0);
  }

  /** Endpoints for which nothing can be claimed now. */
  fullEndpointIds(): string[] {
    const used = new Set([...this.#options.slots.busyEndpointIds(), ...this.#waiting]);
    return [...used].filter((id) => this.room(id) <= 0);
  }

  /** Starts claims, or lets them wait. */
  add(claims: readonly Omit<WaitingClaim, 'claimedAtMs'>[], claimedAtMs: number): void {
    for (const { claim, event } of claims) {
      const { id } = claim.endpoint;
      this.#window(id).queue.push({ claim, event, claimedAtMs });
      this.#waiting.add(id);
    }
    this.#waitingClaims += claims.length;
    for (const id of new Set(claims.map(({ claim }) => claim.endpoint.id))) this.pump(id);
  }

  /** An attempt at a claimed delivery took this long. */
  noteEnd(endpointId: string, tookMs: number): void {
    this.#window(endpointId).pace.noteEnd(tookMs);
  }

  /** Starts as many claims as the endpoint's slots take. */
  pump(endpointId: string): void {
    const { slots, mayStart, isPaused, start } = this.#options;
    const queue = this.#windows.get(endpointId)?.queue;
    for (let next = queue?.first; next !== undefined && mayStart(); next = queue?.first) {
      const nowMs = performance.now();
      if (nowMs - next.claimedAtMs > START_WITHIN_MS || isPaused(endpointId)) {
        this.withdraw(endpointId);
        return;
      }
      const release = slots.tryTake(endpointId, nowMs);
      if (release === null) return;
      queue?.shift();
      this.#waitingClaims -= 1;
      if (queue?.length === 0) this.#waiting.delete(endpointId);
      start(claimAt(next, nowMs), next.event, release);
    }
  }

  /** Gives back the claims that wait for the endpoint. */
  withdraw(endpointId: string): void {
    const left = this.#windows.get(endpointId)?.queue.clear() ?? [];
    this.#waiting.delete(endpointId);
    this.#waitingClaims -= left.length;
    if (left.length > 0) this.#options.giveBack(left.map(({ claim }) => claim));
  }

  /** To be called every 50 ms: gives back claims that have waited for too long, and tries to start the others. */
  tick(nowMs: number): void {
    for (const id of [...this.#waiting]) {
      const waitedMs = nowMs - (this.#windows.get(id)?.queue.first?.claimedAtMs ?? nowMs);
      if (waitedMs > GIVE_BACK_AFTER_MS) this.withdraw(id);
      else this.pump(id);
    }
    if (this.#windows.size > IDLE_WINDOWS_MAX)
      for (const id of this.#windows.keys()) if (!this.#waiting.has(id)) this.#windows.delete(id);
  }

  /** Gives back every claim that waits. */
  withdrawAll(): void {
    for (const id of [...this.#waiting]) this.withdraw(id);
  }

  #window(endpointId: string): Window {
    let window = this.#windows.get(endpointId);
    if (window === undefined) {
      window = { queue: new Fifo<WaitingClaim>(), pace: new Pace() };
      this.#windows.set(endpointId, window);
    }
    return window;
  }
}

/** The claim with the time at which its attempt begins, by the database's clock. */
function claimAt({ claim, claimedAtMs }: WaitingClaim, nowMs: number): Claim {
  const waitedMs = Math.round(nowMs - claimedAtMs);
  return {
    ...claim,
    startedAt: new Date(claim.startedAt.getTime() + waitedMs),
    queuedMs: claim.queuedMs + waitedMs,
  };
}
