import { accountClient, type GateClient } from '../../shared/gate.ts';

/**
 * Bytes of the bodies that a process may have at a time: a body takes 1.2 times its bytes, and containers have 1 GiB.
 * The server collects a body while its caller is looked up, so room is taken before anything else.
 */
const BYTES_MAX = 128 * 1024 * 1024;
/** Six images, or 500 of the largest JSON bodies. */
const CLIENT_BYTES_MAX = 32 * 1024 * 1024;
/** The room that bodies whose caller is not known yet leave to those of accounts. */
const KEY_RESERVE_BYTES = 32 * 1024 * 1024;

/** Room of one body, until its response is ready. */
export interface BodyRoom {
  /** Counts the body for the account of its key. False when the account has no room for it. */
  moveTo(accountId: string): boolean;
  release(): void;
}

/** Bounds the bytes of all bodies that are on their way or in work, with a share for each client. */
export class BodyBudget {
  #all = 0;
  #unknown = 0;
  readonly #taken = new Map<string, number>();
  /** Count of refused bodies, for the metrics. */
  refused = 0;

  /** Bytes that are taken now. */
  get bytes(): number {
    return this.#all;
  }

  /**
   * Takes room for a body. Null when there is none.
   * @param address of the client, whose key is not known yet
   */
  take(address: string, bytes: number): BodyRoom | null {
    let client: GateClient = { name: address, isKeyed: false };
    const hasRoom = this.#all + bytes <= BYTES_MAX && this.#unknown + bytes <= BYTES_MAX - KEY_RESERVE_BYTES;
    if (!hasRoom || !this.#hasShare(address, bytes)) {
      this.refused += 1;
      return null;
    }
    this.#count(client, bytes);
    return {
      moveTo: (accountId) => {
        if (!this.#hasShare(accountId, bytes)) {
          this.refused += 1;
          return false;
        }
        this.#count(client, -bytes);
        client = accountClient(accountId);
        this.#count(client, bytes);
        return true;
      },
      release: () => this.#count(client, -bytes),
    };
  }

  #hasShare(name: string, bytes: number): boolean {
    return (this.#taken.get(name) ?? 0) + bytes <= CLIENT_BYTES_MAX;
  }

  #count({ name, isKeyed }: GateClient, bytes: number): void {
    this.#all += bytes;
    if (!isKeyed) this.#unknown += bytes;
    const taken = (this.#taken.get(name) ?? 0) + bytes;
    if (taken === 0) this.#taken.delete(name);
    else this.#taken.set(name, taken);
  }
}
