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
  /** Granted to claims whose transaction still runs. */
  readonly #reserved = new Map<string, number>();
  #reservedInAll = 0;
  #used = 0;

  constructor(total: number, stallMs: number) {
    this.#total = total;
    this.#stallMs = stallMs;
  }

  get used(): number {
    return this.#used;
  }

  get free(): number {
    return this.#total - this.#used - this.#reservedInAll;
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

  /** As `allot`, for claims beside each other: what is granted stays reserved until `release`. */
  reserve(nowMs: number): Reservation {
    const { full, room } = this.allot(nowMs);
    const granted = new Map<string, number>();
    return {
      full,
      room: (id, count) => {
        const more = room(id, count);
        granted.set(id, (granted.get(id) ?? 0) + more);
        this.#addReserved(id, more);
        return more;
      },
      release: () => {
        for (const [id, count] of granted) this.#addReserved(id, -count);
        granted.clear();
      },
    };
  }

  /** A view of the moment, from which a claim takes room endpoint by endpoint. */
  allot(nowMs: number): Allotment {
    const used: Record<Share, number> = { proven: 0, unproven: 0, stalled: 0 };
    for (const endpoint of this.#endpoints.values()) {
      used[this.#share(endpoint, nowMs)] += endpoint.startedAtMs.size;
    }
    for (const [id, count] of this.#reserved) used[this.#shareOf(id, nowMs)] += count;
    const usedInAll = this.#used + this.#reservedInAll;
    const full: string[] = [];
    for (const [id, endpoint] of this.#endpoints) {
      const inFlight = this.#inFlight(id);
      if (inFlight === 0) continue;
      const share = this.#share(endpoint, nowMs);
      if (roomIn(share, inFlight, used, usedInAll, this.#total) <= 0) full.push(id);
    }
    return {
      full,
      room: (id, count) => {
        const share = this.#shareOf(id, nowMs);
        const room = roomIn(
          share,
          this.#inFlight(id),
          used,
          used.proven + used.unproven + used.stalled,
          this.#total,
        );
        const granted = Math.max(0, Math.min(count, room));
        used[share] += granted;
        return granted;
      },
    };
  }

  #inFlight(id: string): number {
    return (this.#endpoints.get(id)?.startedAtMs.size ?? 0) + (this.#reserved.get(id) ?? 0);
  }

  #addReserved(id: string, count: number): void {
    const reserved = (this.#reserved.get(id) ?? 0) + count;
    if (reserved === 0) this.#reserved.delete(id);
    else this.#reserved.set(id, reserved);
    this.#reservedInAll += count;
  }

  #shareOf(id: string, nowMs: number): Share {
    const endpoint = this.#endpoints.get(id);
    return endpoint === undefined ? 'unproven' : this.#share(endpoint, nowMs);
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

export interface Reservation extends Allotment {
  /** Gives back what was granted; call it in the same turn as `take` for what was really claimed. */
  release(): void;
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
