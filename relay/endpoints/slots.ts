import { BoundedMap } from '../../src/shared/bounded-map.ts';
import { capacityLeft, type Share } from './endpoint-limits.ts';

/** An attempt in flight. */
interface Start {
  endpoint: EndpointSlots;
  /** Monotonic. */
  ms: number;
}

interface EndpointSlots {
  inFlight: number;
  /** Attempts in flight that have taken too long. */
  stalled: number;
  /** Whether the last finished attempt was prompt; null before the first. */
  wasPrompt: boolean | null;
  share: Share;
}

/** Remembered endpoints without attempts in flight; at least half as many. */
const IDLE_ENDPOINTS_MAX = 40_000;

/**
 * Counts this process's attempts in flight, per endpoint and per share (endpoint-limits.ts). Calls take the
 * same time however many endpoints there are; only `inUse` reads all that are in use. Times must not go back.
 */
export class Slots {
  readonly #total: number;
  readonly #stallMs: number;
  readonly #limitOf: (endpointId: string) => number;
  /** Endpoints with attempts in flight. */
  readonly #busy = new Map<string, EndpointSlots>();
  /** Endpoints without attempts in flight, as they were at their last one. */
  readonly #idle = new BoundedMap<string, EndpointSlots>(IDLE_ENDPOINTS_MAX);
  /** Attempts in flight that are not stalled yet, in the order of their start. */
  readonly #young = new Set<Start>();
  readonly #used: Record<Share, number> = { proven: 0, unproven: 0, stalled: 0 };
  #inFlight = 0;
  /** No attempt in flight becomes stalled before. */
  #nextStallMs = 0;

  /** @param limitOf attempts that this process may have in flight to an endpoint */
  constructor(
    total: number,
    stallMs: number,
    limitOf: (endpointId: string) => number = () => Number.POSITIVE_INFINITY,
  ) {
    this.#total = total;
    this.#stallMs = stallMs;
    this.#limitOf = limitOf;
  }

  get total(): number {
    return this.#total;
  }

  get used(): number {
    return this.#inFlight;
  }

  get free(): number {
    return this.#total - this.#inFlight;
  }

  /** Whether no endpoint has more attempts in flight than its limit. */
  isWithinLimits(): boolean {
    for (const [id, { inFlight }] of this.#busy) if (inFlight > this.#limitOf(id)) return false;
    return true;
  }

  /** Takes a slot. Call the returned function once, when the attempt has ended. */
  take(endpointId: string, nowMs: number): (endMs: number) => void {
    const endpoint = this.#endpoint(endpointId);
    const start = { endpoint, ms: nowMs };
    this.#young.add(start);
    this.#count(endpoint, 1);
    return (endMs) => {
      if (!this.#young.delete(start)) endpoint.stalled -= 1;
      endpoint.wasPrompt = endMs - start.ms < this.#stallMs;
      this.#count(endpoint, -1);
      this.#judge(endpoint);
      if (endpoint.inFlight > 0) return;
      this.#busy.delete(endpointId);
      this.#idle.set(endpointId, endpoint);
    };
  }

  /** As `take`, if the limits leave the endpoint a slot; else null. */
  tryTake(endpointId: string, nowMs: number): ((endMs: number) => void) | null {
    this.markStalled(nowMs);
    return this.left(endpointId) > 0 ? this.take(endpointId, nowMs) : null;
  }

  /** Attempts that may be started to the endpoint now; zero or less means none. */
  left(id: string): number {
    const { share, inFlight } = this.#known(id) ?? NEW_ENDPOINT;
    const left = capacityLeft(share, inFlight, this.#used, this.#inFlight, this.#total);
    return Math.min(left, this.#limitOf(id) - inFlight);
  }

  /** Whether the last attempts to the endpoint were prompt. */
  isProven(id: string): boolean {
    return this.#known(id)?.share === 'proven';
  }

  /** The endpoints with attempts in flight. */
  inUse(): Iterable<string> {
    return this.#busy.keys();
  }

  /** Finds the attempts that have taken too long by now. */
  markStalled(nowMs: number): void {
    if (nowMs < this.#nextStallMs) return;
    this.#nextStallMs = nowMs + this.#stallMs;
    for (const start of this.#young) {
      this.#nextStallMs = start.ms + this.#stallMs;
      if (nowMs < this.#nextStallMs) return;
      this.#young.delete(start);
      start.endpoint.stalled += 1;
      this.#judge(start.endpoint);
    }
  }

  #known(id: string): EndpointSlots | undefined {
    return this.#busy.get(id) ?? this.#idle.get(id);
  }

  /** Moves the endpoint of a new attempt to the busy ones. */
  #endpoint(id: string): EndpointSlots {
    const endpoint = this.#known(id) ?? { ...NEW_ENDPOINT };
    this.#busy.set(id, endpoint);
    return endpoint;
  }

  #count(endpoint: EndpointSlots, change: number): void {
    endpoint.inFlight += change;
    this.#used[endpoint.share] += change;
    this.#inFlight += change;
  }

  #judge(endpoint: EndpointSlots): void {
    const share = shareOf(endpoint);
    if (share === endpoint.share) return;
    this.#used[endpoint.share] -= endpoint.inFlight;
    this.#used[share] += endpoint.inFlight;
    endpoint.share = share;
  }
}

const NEW_ENDPOINT: Readonly<EndpointSlots> = {
  inFlight: 0,
  stalled: 0,
  wasPrompt: null,
  share: 'unproven',
};

function shareOf({ stalled, wasPrompt }: EndpointSlots): Share {
  if (stalled > 0 || wasPrompt === false) return 'stalled';
  return wasPrompt === null ? 'unproven' : 'proven';
}
