import { type Capacity, capacityLeft, type Share } from './endpoint-limits.ts';

interface EndpointSlots {
  /** Start times (monotonic ms) of the attempts in flight. */
  startedAtMs: Set<{ ms: number }>;
  /** Whether the last finished attempt was prompt; null before the first. */
  wasPrompt: boolean | null;
}

/** Remembered endpoints without attempts in flight. */
const IDLE_ENDPOINTS_MAX = 20_000;

/** Counts this process's attempts in flight, per endpoint and per share (endpoint-limits.ts). */
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

  /** As `capacity`, for concurrent claims: what is granted stays reserved until `release`. */
  reserve(nowMs: number): Reservation {
    const { full, grant } = this.capacity(nowMs);
    const granted = new Map<string, number>();
    return {
      full,
      grant: (id, count) => {
        const more = grant(id, count);
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

  /** What the slots allow at this moment. */
  capacity(nowMs: number): Capacity {
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
      if (capacityLeft(share, inFlight, used, usedInAll, this.#total) <= 0) full.push(id);
    }
    return {
      full,
      grant: (id, count) => {
        const share = this.#shareOf(id, nowMs);
        const left = capacityLeft(
          share,
          this.#inFlight(id),
          used,
          used.proven + used.unproven + used.stalled,
          this.#total,
        );
        const granted = Math.max(0, Math.min(count, left));
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

export interface Reservation extends Capacity {
  /** Returns what was granted; call it in the same turn as `take` for what was really claimed. */
  release(): void;
}
