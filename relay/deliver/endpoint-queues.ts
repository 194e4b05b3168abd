import type { EndpointBacklogs } from '../endpoints/endpoint-backlogs.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import { Pace } from '../endpoints/pace.ts';
import type { CachedEndpoint } from '../endpoints/read-endpoints.ts';
import type { Slots } from '../endpoints/slots.ts';
import type { Audience } from '../model/event.ts';
import { Fifo, UniqueFifo } from '../model/fifo.ts';
import type { NewDelivery } from './events-in-progress.ts';

/** A first attempt has a slot. */
export interface Start {
  endpoint: CachedEndpoint;
  /** Monotonic. */
  startMs: number;
  /** Frees the slot; to be called once. */
  release(endMs: number): void;
}

/**
 * How a delivery leaves its queue. `row`: its endpoint has to wait, so the delivery gets a row, and a claim makes its
 * first attempt. `lease-ended`: another relay may deliver the event.
 */
export type QueueExit = Start | 'row' | 'lease-ended';

export interface EndpointQueuesOptions {
  slots: Slots;
  cache: EndpointCache;
  backlogs: EndpointBacklogs;
  /** Attempts that this relay may have in flight to an endpoint. */
  limitOf(endpointId: string): number;
  mayStart(): boolean;
}

/** Part of the slots that is left to claims, so that retries never wait for first attempts. */
const CLAIM_SHARE = 1 / 8;
/** Most attempts started in one turn of the event loop. */
const STARTS_PER_TURN = 32;
/** With this number of deliveries in the queues, no more events of the audience are admitted. */
const QUEUED_MAX = { public: 4_096, account: 16_384 } as const;
/** While one queue is longer, no more public events are admitted. */
const LONG_QUEUE = 256;
/** A queue that waits longer than this without the end of an attempt leaves its deliveries to the claims. */
const STALLED_MS = 250;
/** So does a queue whose first delivery has waited longer than this. */
const WAITED_MS = 2_000;
/** After a longer pause between two ticks, the delay was that of this process, and says nothing about an endpoint. */
const TICK_LATE_MS = 150;
const IDLE_QUEUES_MAX = 20_000;

/**
 * New deliveries that wait for a slot, in one queue for each endpoint, served round robin. A queue has room for the
 * deliveries that its endpoint takes within a quarter of a second. Further deliveries get rows at once, and the queue
 * waits until these are claimed, unless that takes long. So a slow endpoint costs others no time, and a fast one never
 * waits for a claim. Claimed deliveries wait elsewhere (retry/claim-windows.ts): events come whether there is room or
 * not, while a claim asks for no more than there is room for (docs/decisions/0055).
 */
export class EndpointQueues {
  readonly #options: EndpointQueuesOptions;
  readonly #queues = new Map<string, EndpointQueue>();
  /** Queues that may have a slot; those with account events come first. */
  readonly #ready = { account: new UniqueFifo<EndpointQueue>(), public: new UniqueFifo<EndpointQueue>() };
  /** Queues whose endpoint has no free slot, or has an older delivery with a row. */
  readonly #blocked = new Set<EndpointQueue>();
  #size = 0;
  #longQueues = 0;
  #isPumping = false;
  #tickedAtMs = Number.NaN;

  constructor(options: EndpointQueuesOptions) {
    this.#options = options;
  }

  /** Deliveries that wait, over all endpoints. */
  get size(): number {
    return this.#size;
  }

  /** Whether more events may be admitted. */
  hasRoom(audience: Audience): boolean {
    return this.#size < QUEUED_MAX[audience] && (audience === 'account' || this.#longQueues === 0);
  }

  /** Queues a delivery. Null if its queue takes no more: the delivery gets a row at once. */
  enter(delivery: NewDelivery, endpoint: CachedEndpoint): Promise<QueueExit> | null {
    const { backlogs, limitOf, mayStart } = this.#options;
    const limit = limitOf(endpoint.id);
    const { queuedAtMs } = delivery;
    const isOff = !mayStart() || endpoint.pausedUntilMs > queuedAtMs;
    const queue = this.#queue(endpoint.id);
    if (isOff || backlogs.isOld(endpoint.id, queuedAtMs) || queue.length >= queue.capacity(limit))
      return null;
    const { promise, resolve } = Promise.withResolvers<QueueExit>();
    this.#count(queue, () => queue.push({ delivery, resolve }));
    if (!this.#blocked.has(queue)) this.#setReady(queue);
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
    const queue = this.#queues.get(endpointId);
    queue?.noteAlive(nowMs);
    if (queue !== undefined && this.#blocked.delete(queue)) this.#setReady(queue);
    if (this.#size > 0) this.pump();
  }

  /** A first attempt to the endpoint took this long. */
  noteEnd(endpointId: string, tookMs: number): void {
    this.#queues.get(endpointId)?.noteEnd(tookMs);
  }

  /**
   * To be called every 50 ms: leaves the queues that stand still to the claims, and tries the other blocked ones again.
   */
  tick(nowMs: number): void {
    const isLate = nowMs - this.#tickedAtMs > TICK_LATE_MS;
    this.#tickedAtMs = nowMs;
    for (const queue of [...this.#blocked]) {
      const standsStill = queue.stalledMs(nowMs) > STALLED_MS || queue.waitedMs(nowMs) > WAITED_MS;
      if (standsStill && !isLate) this.#leaveToClaims(queue);
      else this.#setReady(queue);
    }
    if (this.#size > 0) this.pump();
    if (this.#queues.size > IDLE_QUEUES_MAX)
      for (const [id, queue] of this.#queues) if (queue.length === 0) this.#queues.delete(id);
  }

  /** Every delivery that waits gets a row. */
  leaveAllToClaims(): void {
    for (const queue of this.#queues.values()) this.#leaveToClaims(queue);
  }

  /** Returns whether more may be started in the next turn. */
  #startSome(): boolean {
    for (let started = 0; started < STARTS_PER_TURN; ) {
      const queue = this.#options.mayStart() ? this.#next() : undefined;
      if (queue === undefined) return false;
      if (this.#startFirst(queue)) started += 1;
    }
    return true;
  }

  /** The queue whose turn it is, if there is a slot for a first attempt. */
  #next(): EndpointQueue | undefined {
    const { slots } = this.#options;
    if (slots.free <= slots.total * CLAIM_SHARE) return undefined;
    return this.#ready.account.shift() ?? this.#ready.public.shift();
  }

  #startFirst(queue: EndpointQueue): boolean {
    const { slots, cache, backlogs } = this.#options;
    this.#unready(queue);
    if (queue.first === undefined) return false;
    const { delivery, resolve } = queue.first;
    const nowMs = performance.now();
    if (delivery.progress.leaseEndsMs <= nowMs) {
      this.#count(queue, () => queue.shift());
      resolve('lease-ended');
      this.#setReady(queue);
      return false;
    }
    const endpoint = cache.get(queue.endpointId);
    if (endpoint === undefined || endpoint.pausedUntilMs > nowMs || backlogs.isOld(queue.endpointId, nowMs)) {
      this.#leaveToClaims(queue);
      return false;
    }
    const release = backlogs.has(queue.endpointId) ? null : slots.tryTake(queue.endpointId, nowMs);
    if (release === null) {
      this.#blocked.add(queue);
      return false;
    }
    this.#count(queue, () => queue.shift());
    this.#setReady(queue);
    resolve({ endpoint, startMs: nowMs, release });
    return true;
  }

  #leaveToClaims(queue: EndpointQueue): void {
    this.#unready(queue);
    this.#blocked.delete(queue);
    this.#count(queue, () => {
      for (const { resolve } of queue.clear()) resolve('row');
    });
  }

  #setReady(queue: EndpointQueue): void {
    this.#blocked.delete(queue);
    if (queue.length > 0) this.#ready[queue.hasAccountEvent ? 'account' : 'public'].add(queue);
  }

  #unready(queue: EndpointQueue): void {
    this.#ready.account.delete(queue);
    this.#ready.public.delete(queue);
  }

  #count(queue: EndpointQueue, change: () => void): void {
    const before = queue.length;
    change();
    this.#size += queue.length - before;
    this.#longQueues += Number(queue.length > LONG_QUEUE) - Number(before > LONG_QUEUE);
  }

  #queue(endpointId: string): EndpointQueue {
    let queue = this.#queues.get(endpointId);
    if (queue === undefined) {
      queue = new EndpointQueue(endpointId);
      this.#queues.set(endpointId, queue);
    }
    return queue;
  }
}

interface Waiting {
  delivery: NewDelivery;
  resolve(exit: QueueExit): void;
}

const LENGTH_MAX = 1_024;

/** The new deliveries that wait for one endpoint, in order. */
class EndpointQueue {
  readonly endpointId: string;
  readonly #waiting = new Fifo<Waiting>();
  readonly #pace = new Pace();
  #accountEvents = 0;
  #endedAtMs = 0;

  constructor(endpointId: string) {
    this.endpointId = endpointId;
  }

  get length(): number {
    return this.#waiting.length;
  }

  get first(): Waiting | undefined {
    return this.#waiting.first;
  }

  get hasAccountEvent(): boolean {
    return this.#accountEvents > 0;
  }

  /** @param limit attempts in flight to the endpoint */
  capacity(limit: number): number {
    return Math.min(LENGTH_MAX, Math.max(limit, this.#pace.inWindow(limit)));
  }

  push(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (isOfAccount(waiting)) this.#accountEvents += 1;
  }

  shift(): void {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined && isOfAccount(waiting)) this.#accountEvents -= 1;
  }

  clear(): readonly Waiting[] {
    this.#accountEvents = 0;
    return this.#waiting.clear();
  }

  noteEnd(tookMs: number): void {
    this.#pace.noteEnd(tookMs);
  }

  /** An attempt to the endpoint, first or later, has ended. */
  noteAlive(nowMs: number): void {
    this.#endedAtMs = nowMs;
  }

  /** How long the queue has waited without the end of an attempt. */
  stalledMs(nowMs: number): number {
    return nowMs - Math.max(this.#endedAtMs, this.first?.delivery.queuedAtMs ?? nowMs);
  }

  waitedMs(nowMs: number): number {
    return nowMs - (this.first?.delivery.queuedAtMs ?? nowMs);
  }
}

function isOfAccount({ delivery }: Waiting): boolean {
  return delivery.progress.audience === 'account';
}
