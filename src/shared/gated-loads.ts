import type { ClientGate } from './gate.ts';
import { SingleFlight } from './single-flight.ts';

interface Turn<Value> {
  result: Promise<Value>;
  /** Leaves the queue of the gate for a load that another client has begun. */
  join(load: Promise<Value>): void;
}

/**
 * Loads by key that pass a gate. Callers share a load that has begun, and take no place for it. One that waits
 * is in the queue of each client that asks for it, and the first that gets a place loads for all of them: so
 * no client waits behind the work of another that asked for the same before.
 */
export class GatedLoads<Value> {
  readonly #loads = new SingleFlight<Value>();
  /** Waiting turns by key and client. */
  readonly #turns = new Map<string, Map<string, Turn<Value>>>();

  /** The load of a key that has a place. */
  begun(key: string): Promise<Value> | undefined {
    return this.#loads.running(key);
  }

  /** As `SingleFlight.run`. Rejects with GateRefused as well. */
  run(
    key: string,
    place: ClientGate,
    work: () => Promise<Value>,
    keep?: (result: PromiseSettledResult<Value>) => void,
  ): Promise<Value> {
    const { gate, client } = place;
    const begun = this.#loads.running(key) ?? this.#turns.get(key)?.get(client.name)?.result;
    if (begun !== undefined) return begun;
    return gate.tryTake(client) ? this.#begin(key, place, work, keep) : this.#wait(key, place, work, keep);
  }

  drop(key: string): void {
    this.#loads.drop(key);
  }

  clear(): void {
    this.#loads.clear();
  }

  #begin(
    key: string,
    { gate, client }: ClientGate,
    work: () => Promise<Value>,
    keep?: (result: PromiseSettledResult<Value>) => void,
  ): Promise<Value> {
    const inPlace = async () => {
      try {
        return await work();
      } finally {
        gate.release(client);
      }
    };
    const load = this.#loads.run(key, inPlace, keep);
    const turns = this.#turns.get(key);
    this.#turns.delete(key);
    for (const turn of turns?.values() ?? []) turn.join(load);
    return load;
  }

  #wait(
    key: string,
    place: ClientGate,
    work: () => Promise<Value>,
    keep?: (result: PromiseSettledResult<Value>) => void,
  ): Promise<Value> {
    const { promise: result, resolve, reject } = Promise.withResolvers<Value>();
    const turns = this.#turns.get(key) ?? new Map<string, Turn<Value>>();
    const { name } = place.client;
    const forget = () => {
      turns.delete(name);
      if (turns.size === 0 && this.#turns.get(key) === turns) this.#turns.delete(key);
    };
    let isRefused = false;
    const leave = place.gate.queue(
      place.client,
      () => {
        forget();
        resolve(this.#begin(key, place, work, keep));
      },
      (reason) => {
        isRefused = true;
        forget();
        reject(reason);
      },
    );
    if (isRefused) return result;
    this.#turns.set(key, turns);
    turns.set(name, {
      result,
      join(load) {
        leave();
        resolve(load);
      },
    });
    return result;
  }
}
