/**
 * Which share of this process's slots an endpoint may use, by how its attempts went here. Endpoints that hang
 * can fill half of the slots and no more, with one attempt each; newcomers leave a quarter. So there is always
 * room for endpoints that are known to answer. Kept in memory: after a restart everyone is new once.
 */
export const shares = {
  proven: { perEndpoint: Number.POSITIVE_INFINITY, ofSlots: 1 },
  unproven: { perEndpoint: 2, ofSlots: 3 / 4 },
  stalled: { perEndpoint: 1, ofSlots: 1 / 2 },
} as const;
export type Share = keyof typeof shares;

interface EndpointSlots {
  /** Start times (monotonic ms) of the attempts in flight. */
  startedAtMs: Set<{ ms: number }>;
  /** Whether the last finished attempt was prompt; null before the first. */
  wasPrompt: boolean | null;
}

/** Remembered endpoints without attempts in flight. */
const IDLE_ENDPOINTS_MAX = 20_000;

/** Counts attempts in flight, per endpoint and per share. */
export class Slots {
  readonly #total: number;
  readonly #stallMs: number;
  readonly #endpoints = new Map<string, EndpointSlots>();
  #used = 0;

  constructor(total: number, stallMs: number) {
    this.#total = total;
    this.#stallMs = stallMs;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#total - this.#used;
  }

  /** Takes a slot; call the returned function once, when the attempt is recorded. */
  take(endpointId: string, nowMs: number): (endMs: number) => void {
    const endpoint = this.#endpoints.get(endpointId) ?? { startedAtMs: new Set(), wasPrompt: null };
    // Moves the endpoint to the end, so that the map's order is the order of last use.
    this.#endpoints.delete(endpointId);
    this.#endpoints.set(endpointId, endpoint);
    const start = { ms: nowMs };
    endpoint.startedAtMs.add(start);
    this.#used += 1;
    return (endMs) => {
      endpoint.startedAtMs.delete(start);
      endpoint.wasPrompt = endMs - start.ms < this.#stallMs;
      this.#used -= 1;
      this.#forgetIdle();
    };
  }

  /** A view of the moment, from which a claim takes room endpoint by endpoint. */
  allot(nowMs: number): Allotment {
    const used: Record<Share, number> = { proven: 0, unproven: 0, stalled: 0 };
    for (const endpoint of this.#endpoints.values()) {
      used[this.#share(endpoint, nowMs)] += endpoint.startedAtMs.size;
    }
    const full: string[] = [];
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.startedAtMs.size === 0) continue;
      const share = this.#share(endpoint, nowMs);
      if (roomIn(share, endpoint.startedAtMs.size, used, this.#used, this.#total) <= 0) full.push(id);
    }
    return {
      full,
      room: (id, count) => {
        const endpoint = this.#endpoints.get(id);
        const share = endpoint === undefined ? 'unproven' : this.#share(endpoint, nowMs);
        const inFlight = endpoint?.startedAtMs.size ?? 0;
        const room = roomIn(share, inFlight, used, used.proven + used.unproven + used.stalled, this.#total);
        const granted = Math.max(0, Math.min(count, room));
        used[share] += granted;
        return granted;
      },
    };
  }

  #share(endpoint: EndpointSlots, nowMs: number): Share {
    for (const { ms } of endpoint.startedAtMs) if (nowMs - ms >= this.#stallMs) return 'stalled';
    if (endpoint.wasPrompt === null) return 'unproven';
    return endpoint.wasPrompt ? 'proven' : 'stalled';
  }

  #forgetIdle(): void {
    if (this.#endpoints.size <= IDLE_ENDPOINTS_MAX) return;
    for (const [id, endpoint] of this.#endpoints) {
      if (endpoint.startedAtMs.size > 0) continue;
      this.#endpoints.delete(id);
      return;
    }
  }
}

export interface Allotment {
  /** Endpoints that cannot get a slot now. */
  full: readonly string[];
  /** Grants up to `count` further attempts to an endpoint. */
  room(endpointId: string, count: number): number;
}

function roomIn(
  share: Share,
  inFlight: number,
  used: Readonly<Record<Share, number>>,
  usedInAll: number,
  total: number,
): number {
  const { perEndpoint, ofSlots } = shares[share];
  // A share counts itself and the slower ones: stalled ⊂ unproven ⊂ proven.
  const usedBySlower =
    share === 'proven' ? usedInAll : share === 'unproven' ? used.unproven + used.stalled : used.stalled;
  return Math.min(perEndpoint - inFlight, Math.floor(total * ofSlots) - usedBySlower, total - usedInAll);
}
