import type { BehindEndpoints } from '../endpoints/behind-endpoints.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { CachedEndpoint } from '../endpoints/read-endpoints.ts';
import type { Slots } from '../endpoints/slots.ts';
import { Turns } from '../model/fifo.ts';
import type { FirstAttempt } from './held-event.ts';
import { Lane, type Turn } from './lane.ts';

export interface LanesOptions {
  slots: Slots;
  cache: EndpointCache;
  behind: BehindEndpoints;
  /** Attempts that this relay may have in flight to an endpoint. */
  limitOf(endpointId: string): number;
  mayStart(): boolean;
}

/** This part of the slots is left to claims: retries never wait for first attempts. */
const CLAIM_SHARE = 1 / 8;
/** Most attempts started in one turn of the event loop. */
const STARTS_PER_TURN = 32;
/** While as many deliveries wait, over all endpoints, no more events are taken. */
const QUEUED_MAX = { public: 4_096, account: 16_384 } as const;
/** While one lane is longer, no more public events are taken. */
const LONG_LANE = 256;
/** A lane that waits this long without the end of an attempt leaves its deliveries to the claims. */
const STALLED_MS = 250;
/** So does a lane whose first delivery has waited this long. */
const WAITED_MS = 2_000;
/** After a longer pause between two ticks this process itself was held up. */
const TICK_LATE_MS = 150;
const IDLE_LANES_MAX = 20_000;

/**
 * First attempts that wait, in one lane for each endpoint; lanes take turns. A lane holds what its endpoint
 * takes within a quarter of a second. Further deliveries get rows at once, and the lane waits until these are
 * claimed, unless that takes long. So a slow endpoint costs others no time, and a fast one never waits for a
 * claim.
 * First attempts cannot wait in the windows of claims: events bring them whether there is room or not, so a
 * lane has to be able to pass them on as rows, while a window never holds more than it asked for
 * (docs/decisions/0055).
 */
export class Lanes {
  readonly #options: LanesOptions;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that wait for their turn; those with account events come first. */
  readonly #ready = { account: new Turns<Lane>(), public: new Turns<Lane>() };
  /** Lanes whose endpoint has no free slot, or has an older delivery with a row. */
  readonly #parked = new Set<Lane>();
  #queued = 0;
  #long = 0;
  #isPumping = false;
  #tickedAtMs = Number.NaN;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Whether more events may be taken. */
  hasRoom(audience: 'public' | 'account'): boolean {
    return this.#queued < QUEUED_MAX[audience] && (audience === 'account' || this.#long === 0);
  }

  /** Queues a first attempt. Returns null when the lane takes no more: the delivery gets a row at once. */
  turn(first: FirstAttempt, endpoint: CachedEndpoint): Promise<Turn> | null {
    const { behind, limitOf, mayStart } = this.#options;
    const limit = limitOf(endpoint.id);
    const { queuedAtMs } = first;
    const isOff = !mayStart() || endpoint.pausedUntilMs > queuedAtMs;
    const lane = this.#lane(endpoint.id);
    if (isOff || behind.hasLong(endpoint.id, queuedAtMs) || lane.length >= lane.capacity(limit)) return null;
    const { promise, resolve } = Promise.withResolvers<Turn>();
    this.#count(lane, () => lane.push({ first, resolve }));
    if (!this.#parked.has(lane)) this.#setReady(lane);
    return promise;
  }

  /** Starts what may be started, in this and later turns of the event loop. */
  pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    setImmediate(() => {
      this.#isPumping = false;
      if (this.#startSome()) this.pump();
    });
  }

  /** An attempt to the endpoint has ended, first or later: a slot may be free. */
  wake(endpointId: string, nowMs: number): void {
    const lane = this.#lanes.get(endpointId);
    lane?.noteAlive(nowMs);
    if (lane !== undefined && this.#parked.delete(lane)) this.#setReady(lane);
    if (this.#queued > 0) this.pump();
  }

  /** A first attempt to the endpoint took this long. */
  noteEnd(endpointId: string, tookMs: number): void {
    this.#lanes.get(endpointId)?.noteEnd(tookMs);
  }

  /** To be called every 50 ms: gives up lanes that stand still, and looks again at the others. */
  tick(nowMs: number): void {
    const isLate = nowMs - this.#tickedAtMs > TICK_LATE_MS;
    this.#tickedAtMs = nowMs;
    for (const lane of [...this.#parked]) {
      const standsStill = lane.stoodStillMs(nowMs) > STALLED_MS || lane.waitedMs(nowMs) > WAITED_MS;
      if (standsStill && !isLate) this.#giveUp(lane);
      else this.#setReady(lane);
    }
    if (this.#queued > 0) this.pump();
    if (this.#lanes.size > IDLE_LANES_MAX)
      for (const [id, lane] of this.#lanes) if (lane.length === 0) this.#lanes.delete(id);
  }

  /** Every delivery that waits gets a row. */
  giveUpAll(): void {
    for (const lane of this.#lanes.values()) this.#giveUp(lane);
  }

  /** Returns whether more may be started in the next turn. */
  #startSome(): boolean {
    for (let started = 0; started < STARTS_PER_TURN; ) {
      const lane = this.#options.mayStart() ? this.#next() : undefined;
      if (lane === undefined) return false;
      if (this.#startFirst(lane)) started += 1;
    }
    return true;
  }

  /** Takes the lane whose turn it is. */
  #next(): Lane | undefined {
    const { slots } = this.#options;
    if (slots.free <= slots.total * CLAIM_SHARE) return undefined;
    return this.#ready.account.shift() ?? this.#ready.public.shift();
  }

  #startFirst(lane: Lane): boolean {
    const { slots, cache, behind } = this.#options;
    this.#unready(lane);
    if (lane.first === undefined) return false;
    const { first, resolve } = lane.first;
    const nowMs = performance.now();
    if (first.event.leaseEndsMs <= nowMs) {
      this.#count(lane, () => lane.shift());
      resolve('lease-over');
      this.#setReady(lane);
      return false;
    }
    const endpoint = cache.get(lane.endpointId);
    if (endpoint === undefined || endpoint.pausedUntilMs > nowMs || behind.hasLong(lane.endpointId, nowMs)) {
      this.#giveUp(lane);
      return false;
    }
    const release = behind.has(lane.endpointId) ? null : slots.tryTake(lane.endpointId, nowMs);
    if (release === null) {
      this.#parked.add(lane);
      return false;
    }
    this.#count(lane, () => lane.shift());
    this.#setReady(lane);
    resolve({ endpoint, startMs: nowMs, release });
    return true;
  }

  #giveUp(lane: Lane): void {
    this.#unready(lane);
    this.#parked.delete(lane);
    this.#count(lane, () => {
      for (const { resolve } of lane.clear()) resolve('row');
    });
  }

  #setReady(lane: Lane): void {
    this.#parked.delete(lane);
    if (lane.length > 0) this.#ready[lane.hasAccountEvent ? 'account' : 'public'].add(lane);
  }

  #unready(lane: Lane): void {
    this.#ready.account.delete(lane);
    this.#ready.public.delete(lane);
  }

  #count(lane: Lane, change: () => void): void {
    const before = lane.length;
    change();
    this.#queued += lane.length - before;
    this.#long += Number(lane.length > LONG_LANE) - Number(before > LONG_LANE);
  }

  #lane(endpointId: string): Lane {
    let lane = this.#lanes.get(endpointId);
    if (lane === undefined) {
      lane = new Lane(endpointId);
      this.#lanes.set(endpointId, lane);
    }
    return lane;
  }
}
