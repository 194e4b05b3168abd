import { BoundedMap } from '../../src/shared/bounded-map.ts';

/**
 * The share of this process's slots that an endpoint may use, by the last attempts of this process to it. Endpoints
 * that hang can fill at most half of the slots, with one attempt each; new endpoints can fill three quarters. So there
 * is always room for endpoints that are known to respond. After a restart every endpoint counts as new. The limit over
 * all relays is `WEBHOOK_ENDPOINT_CONCURRENCY`, divided among them (members/).
 */
const shares = {
  proven: { perEndpoint: Number.POSITIVE_INFINITY, ofSlots: 1 },
  unproven: { perEndpoint: 2, ofSlots: 3 / 4 },
  stalled: { perEndpoint: 1, ofSlots: 1 / 2 },
} as const;
type Share = keyof typeof shares;

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

/** Most remembered endpoints without attempts in flight. At least half of them are kept. */
const IDLE_ENDPOINTS_MAX = 40_000;

/**
 * Counts this process's attempts in flight, per endpoint and per share. Calls take the same time however many endpoints
 * there are; only `busyEndpointIds` and `isWithinLimits` read all endpoints with attempts in flight. Times must not go
 * back.
 */
export class Slots {
  readonly #total: number;
  readonly #stallMs: number;
  readonly #limitOf: (endpointId: string) => number;
  /** Endpoints with attempts in flight. */
  readonly #busy = new Map<string, EndpointSlots>();
  /** Endpoints without attempts in flight, as they were after the last one. */
  readonly #idle = new BoundedMap<string, EndpointSlots>(IDLE_ENDPOINTS_MAX);
  /** Attempts in flight that are not stalled yet, in the order of their start. */
  readonly #young = new Set<Start>();
  readonly #used: Record<Share, number> = { proven: 0, unproven: 0, stalled: 0 };
  #inFlight = 0;
  /** No attempt in flight becomes stalled before this time. */
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

  /** As `take`, if the limits allow the endpoint another slot; else null. */
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
  busyEndpointIds(): Iterable<string> {
    return this.#busy.keys();
  }

  /** Finds the attempts that have taken too long. */
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

/** Attempts that may still be started to an endpoint, by its share and the slots of the process. */
function capacityLeft(
  share: Share,
  inFlight: number,
  used: Readonly<Record<Share, number>>,
  usedInAll: number,
  total: number,
): number {
  const { perEndpoint, ofSlots } = shares[share];
  // A share includes the slower ones: stalled ⊂ unproven ⊂ proven.
  const usedBySlower =
    share === 'proven' ? usedInAll : share === 'unproven' ? used.unproven + used.stalled : used.stalled;
  return Math.min(perEndpoint - inFlight, Math.floor(total * ofSlots) - usedBySlower, total - usedInAll);
}
