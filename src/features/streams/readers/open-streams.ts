import { Problem } from '../../../shared/problem.ts';

export interface StreamLimits {
  perKey: number;
  perAddress: number;
  max: number;
}

/** Seconds after which to try again when too many streams are open. */
const RETRY_AFTER_SECONDS = 5;

/** Counts open streams: by key, by client address, and all of the process (contract/streams#limits). */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #bySubject = new Map<string, number>();
  #all = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Counts one more; the result takes it back, once. Throws `stream_limit_reached`. */
  take(subject: string, hasKey: boolean): () => void {
    const { perKey, perAddress, max } = this.#limits;
    const counted = `${hasKey ? 'key' : 'address'} ${subject}`;
    const open = this.#bySubject.get(counted) ?? 0;
    const ofSubject = hasKey ? perKey : perAddress;
    if (open >= ofSubject) throw refusal(hasKey ? 'key' : 'address', ofSubject);
    if (this.#all >= max) throw refusal('process', max);
    this.#bySubject.set(counted, open + 1);
    this.#all += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#all -= 1;
      const left = (this.#bySubject.get(counted) ?? 1) - 1;
      if (left === 0) this.#bySubject.delete(counted);
      else this.#bySubject.set(counted, left);
    };
  }
}

function refusal(of: 'key' | 'address' | 'process', limit: number): Problem {
  return new Problem('stream_limit_reached', {
    context: { of, limit },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
