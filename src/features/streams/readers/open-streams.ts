import { Problem } from '../../../shared/problem.ts';

export interface StreamLimits {
  perKey: number;
  perAddress: number;
  /** Streams of an IPv6 /48, which holds 65,536 client addresses. */
  perNetwork: number;
  max: number;
  /** Percentage of `max` that is reserved for streams with a key. */
  keyReservePercent: number;
}

/** The key or client address of a stream. */
export interface StreamHolder {
  /** The id of the key, or the client address. */
  subject: string;
  hasKey: boolean;
  /** The IPv6 /48 of the client; null for IPv4. */
  network: string | null;
}

/** The counters that include an open stream. */
export type StreamPlace = readonly string[];

interface Bound {
  /** Name of the counter. */
  counted: string;
  of: 'key' | 'address' | 'network' | 'anonymous' | 'process';
  limit: number;
}

/** Seconds after which to try again when too many streams are open. */
const RETRY_AFTER_SECONDS = 5;

/** Counts open streams: by key, client address and network, those without a key, and all of the process (contract/streams#limits). */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Counts one more stream. Throws `stream_limit_reached`. */
  take(holder: StreamHolder): StreamPlace {
    return this.#take(holder, []);
  }

  /** Moves an open stream to another holder. Throws `stream_limit_reached`, and then changes nothing. */
  move(place: StreamPlace, holder: StreamHolder): StreamPlace {
    const moved = this.#take(holder, place);
    this.release(place);
    return moved;
  }

  release(place: StreamPlace): void {
    for (const counted of place) {
      const left = (this.#counts.get(counted) ?? 1) - 1;
      if (left === 0) this.#counts.delete(counted);
      else this.#counts.set(counted, left);
    }
  }

  #take(holder: StreamHolder, left: StreamPlace): StreamPlace {
    const bounds = this.#bounds(holder);
    for (const { counted, of, limit } of bounds) {
      const open = (this.#counts.get(counted) ?? 0) - (left.includes(counted) ? 1 : 0);
      if (open < limit) continue;
      throw new Problem('stream_limit_reached', {
        context: { of, limit },
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    const place = bounds.map(({ counted }) => counted);
    for (const counted of place) this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    return place;
  }

  #bounds({ subject, hasKey, network }: StreamHolder): Bound[] {
    const { perKey, perAddress, perNetwork, max, keyReservePercent } = this.#limits;
    const all: Bound = { counted: 'all', of: 'process', limit: max };
    if (hasKey) return [{ counted: `key ${subject}`, of: 'key', limit: perKey }, all];
    const anonymousMax = max - Math.floor((max * keyReservePercent) / 100);
    const bounds: Bound[] = [{ counted: `address ${subject}`, of: 'address', limit: perAddress }];
    if (network !== null) bounds.push({ counted: `network ${network}`, of: 'network', limit: perNetwork });
    return [...bounds, { counted: 'anonymous', of: 'anonymous', limit: anonymousMax }, all];
  }
}
