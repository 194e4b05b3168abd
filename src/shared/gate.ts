export interface GateOptions {
  /** Places, the bound of concurrent work. */
  runningMax: number;
  /** Places of one client; half of them by default, so that no client alone holds the gate. */
  clientRunningMax?: number;
  /** Work that waits for a place; further work is refused, or displaces work of a client with more. */
  waitingMax?: number;
  /** Work that has waited this long is refused. */
  waitMaxMs?: number;
}

/** The most places that work under one name may have at a time. */
export interface GateShare {
  name: string;
  max: number;
}

/** Whose work it is. Clients of one name share places and turns. */
export interface GateClient {
  /** The account of a key, or the address of a client without one (IPv6 by /64). */
  name: string;
  /** The clients without a key leave a part of the gate to those with one. */
  isKeyed: boolean;
  /** Further bounds of the running work of this client. */
  shares?: readonly GateShare[];
}

export function accountClient(accountId: string): GateClient {
  return { name: accountId, isKeyed: true };
}

/** The gate had no room for this work and did not begin it. */
export class GateRefused extends Error {
  override readonly name = 'GateRefused';
}

interface Waiting {
  client: GateClient;
  timer: ReturnType<typeof setTimeout> | undefined;
  begin(): void;
  refuse(reason: GateRefused): void;
}

/** Places and waiting places that clients without a key leave to those with one, in percent. */
const KEY_RESERVE_PERCENT = 25;

/**
 * Bounds concurrent work and the work that waits for it. Clients have turns: a freed place goes to the client
 * whose last turn is longest ago, and its work is served in order. No client can fill the gate for others: it
 * has a share of the places, and where all waiting places are taken, a client with less waiting work
 * displaces the newest of the client with the most. A refusal costs nothing else.
 */
export class Gate {
  readonly options: Readonly<Required<GateOptions>>;
  /** Waiting work by client, in the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>();
  /** Taken places by client, and by share. */
  readonly #taken = new Map<string, number>();
  readonly #takenOfShares = new Map<string, number>();
  readonly #running = new Tally();
  readonly #waiting = new Tally();
  /** Count of refused work, for the metrics. */
  refused = 0;

  constructor({
    runningMax,
    clientRunningMax = Math.ceil(runningMax / 2),
    waitingMax = Infinity,
    waitMaxMs = Infinity,
  }: GateOptions) {
    this.options = { runningMax, clientRunningMax, waitingMax, waitMaxMs };
  }

  /**
   * Runs `work` when there is room for it. Rejects with GateRefused before it calls `work`, or with the
   * failure of `work`.
   */
  async run<Value>(client: GateClient, work: () => Promise<Value>): Promise<Value> {
    if (!this.tryTake(client)) await this.take(client);
    try {
      return await work();
    } finally {
      this.release(client);
    }
  }

  /** The gate as one client passes it: what a request hands on to the code that does its work. */
  of(client: GateClient): ClientGate {
    return { gate: this, client, run: (work) => this.run(client, work) };
  }

  /** Takes a place without waiting; false when none is free. */
  tryTake(client: GateClient): boolean {
    if (!this.#hasRoom(client)) return false;
    this.#count(client, 1);
    return true;
  }

  /** Takes a place as soon as there is one. Rejects with GateRefused. */
  take(client: GateClient): Promise<void> {
    if (this.tryTake(client)) return Promise.resolve();
    return new Promise((resolve, reject) => this.queue(client, resolve, reject));
  }

  /**
   * Waits for a place, although none was free. Exactly one of the callbacks is called, unless the work leaves before.
   *
   * @param begin called when the place is taken
   * @returns gives the waiting place up
   */
  queue(client: GateClient, begin: () => void, refuse: (reason: GateRefused) => void): () => void {
    const { waitingMax, waitMaxMs } = this.options;
    if (!this.#makeRoom(client)) {
      refuse(this.#refusal(`${waitingMax} are waiting already`));
      return () => {};
    }
    const waiting: Waiting = { client, begin, refuse, timer: undefined };
    const queue = this.#queues.get(client.name);
    if (queue === undefined) this.#queues.set(client.name, [waiting]);
    else queue.push(waiting);
    this.#waiting.add(client, 1);
    if (waitMaxMs !== Infinity)
      waiting.timer = setTimeout(() => {
        this.#leave(waiting);
        refuse(this.#refusal(`no place became free within ${waitMaxMs} ms`));
      }, waitMaxMs);
    return () => this.#leave(waiting);
  }

  /** Frees a place; the first client in turn with room gets it. */
  release(client: GateClient): void {
    this.#count(client, -1);
    for (const [name, queue] of this.#queues) {
      const waiting = this.#next(queue);
      if (waiting === undefined) continue;
      this.#leave(waiting);
      // The next turn of this client comes after one of each other client.
      if (this.#queues.delete(name)) this.#queues.set(name, queue);
      this.#count(waiting.client, 1);
      waiting.begin();
      return;
    }
  }

  /** The first work of a client that has room in its shares. */
  #next(queue: readonly Waiting[]): Waiting | undefined {
    for (const waiting of queue) {
      if (this.#hasRoom(waiting.client)) return waiting;
      if (waiting.client.shares === undefined) return undefined;
    }
    return undefined;
  }

  #leave(waiting: Waiting): void {
    clearTimeout(waiting.timer);
    const { name } = waiting.client;
    const queue = this.#queues.get(name);
    const at = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#queues.delete(name);
    this.#waiting.add(waiting.client, -1);
  }

  /** Whether there is a waiting place; it may have displaced the newest work of the client with the most. */
  #makeRoom(client: GateClient): boolean {
    const { waitingMax } = this.options;
    if (this.#waiting.hasRoom(client, waitingMax)) return true;
    let longest: readonly Waiting[] = this.#queues.get(client.name) ?? [];
    const least = longest.length + 2;
    // The part of clients without a key may be full while places are kept for the others.
    const isWithinPart = !client.isKeyed && this.#waiting.isPartFull(waitingMax);
    for (const queue of this.#queues.values()) {
      if (isWithinPart && queue[0]?.client.isKeyed === true) continue;
      if (queue.length > longest.length) longest = queue;
    }
    const displaced = longest.at(-1);
    if (displaced === undefined || longest.length < least) return false;
    this.#leave(displaced);
    displaced.refuse(this.#refusal('a client with less work took the waiting place'));
    return true;
  }

  #hasRoom(client: GateClient): boolean {
    const { runningMax, clientRunningMax } = this.options;
    return (
      this.#running.hasRoom(client, runningMax) &&
      (this.#taken.get(client.name) ?? 0) < clientRunningMax &&
      (client.shares?.every(({ name, max }) => (this.#takenOfShares.get(name) ?? 0) < max) ?? true)
    );
  }

  #count(client: GateClient, places: 1 | -1): void {
    this.#running.add(client, places);
    countIn(this.#taken, client.name, places);
    for (const { name } of client.shares ?? []) countIn(this.#takenOfShares, name, places);
  }

  #refusal(reason: string): GateRefused {
    this.refused += 1;
    return new GateRefused(reason);
  }
}

/** A gate with the client whose work passes it. */
export interface ClientGate {
  readonly gate: Gate;
  readonly client: GateClient;
  run<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Places of all clients, and of those without a key. */
class Tally {
  #all = 0;
  #anonymous = 0;

  add({ isKeyed }: GateClient, places: 1 | -1): void {
    this.#all += places;
    if (!isKeyed) this.#anonymous += places;
  }

  hasRoom({ isKeyed }: GateClient, max: number): boolean {
    return this.#all < max && (isKeyed || !this.isPartFull(max));
  }

  /** Whether clients without a key have all places that are not kept for those with one. */
  isPartFull(max: number): boolean {
    return max !== Infinity && this.#anonymous >= max - Math.floor((max * KEY_RESERVE_PERCENT) / 100);
  }
}

function countIn(counts: Map<string, number>, name: string, places: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + places;
  if (count === 0) counts.delete(name);
  else counts.set(name, count);
}
