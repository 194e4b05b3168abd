import { capacityLeft, type Share } from './endpoint-limits.ts';

/** An attempt in flight. */
interface Start {
  endpoint: EndpointSlots;
  /** Monotonic. */
  ms: number;
}

interface EndpointSlots {
  inFlight: number;
  /** Of those in flight, how many have taken too long. */
  stalled: number;
  /** Whether the last finished attempt was prompt; null before the first. */
  wasPrompt: boolean | null;
  share: Share;
}

/** Remembered endpoints without attempts in flight. */
const IDLE_ENDPOINTS_MAX = 20_000;

/**
 * Counts this process's attempts in flight, per endpoint and per share (endpoint-limits.ts). Every call costs the same,
 * however many endpoints there are; only `inUse` reads them all. Times must not go back.
 */
export class Slots {
  readonly #total: number;
  readonly #stallMs: number;
  readonly #limitOf: (endpointId: string) => number;
  /** In the order of last use. */
  readonly #endpoints = new Map<string, EndpointSlots>();
  /** Those in flight that are not stalled yet, in the order of their start. */
  readonly #young = new Set<Start>();
  readonly #used: Record<Share, number> = { proven: 0, unproven: 0, stalled: 0 };
  #inFlight = 0;

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
    for (const [id, { inFlight }] of this.#endpoints)
      if (inFlight > 0 && inFlight > this.#limitOf(id)) return false;
    return true;
  }

  /** Takes a slot; call the returned function once, when the attempt needs it no more. */
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
      this.#forgetIdle();
    };
  }

  /** As `take`, when the limits leave a slot to this endpoint; else null. */
  tryTake(endpointId: string, nowMs: number): ((endMs: number) => void) | null {
    this.markStalled(nowMs);
    return this.left(endpointId) > 0 ? this.take(endpointId, nowMs) : null;
  }

  /** Attempts that may be started to the endpoint now; zero or less when there are none. */
  left(id: string): number {
    const { share, inFlight } = this.#endpoints.get(id) ?? NEW_ENDPOINT;
    const left = capacityLeft(share, inFlight, this.#used, this.#inFlight, this.#total);
    return Math.min(left, this.#limitOf(id) - inFlight);
  }

  /** Whether the last attempts to the endpoint were prompt. */
  isProven(id: string): boolean {
    return this.#endpoints.get(id)?.share === 'proven';
  }

  /** The endpoints with attempts in flight. */
  *inUse(): Generator<string> {
    for (const [id, { inFlight }] of this.#endpoints) if (inFlight > 0) yield id;
  }

  /** Finds the attempts that have taken too long by now. */
  markStalled(nowMs: number): void {
    for (const start of this.#young) {
      if (nowMs - start.ms < this.#stallMs) return;
      this.#young.delete(start);
      start.endpoint.stalled += 1;
      this.#judge(start.endpoint);
    }
  }

  /** Moves the endpoint to the end, so that the map's order is the order of last use. */
  #endpoint(id: string): EndpointSlots {
    const endpoint = this.#endpoints.get(id) ?? { ...NEW_ENDPOINT };
    this.#endpoints.delete(id);
    this.#endpoints.set(id, endpoint);
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

  #forgetIdle(): void {
    if (this.#endpoints.size <= IDLE_ENDPOINTS_MAX) return;
    for (const [id, { inFlight }] of this.#endpoints) {
      if (inFlight > 0) continue;
      this.#endpoints.delete(id);
      return;
    }
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
