import type { RateDecision } from './gcra.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The headers of one kind of response, written over for every response: a `Response` copies what it is given. Setting
 * a header costs 0.4 µs, naming all thirteen in a plain object 6 µs (Bun 1.4.4, Xeon 2.50 GHz), so only values that
 * differ from the last response are set. For responses that always carry the same names.
 */
export class ReusedHeaders {
  readonly #headers: Headers;
  #etag = '';
  #durationMs = -1;
  #limit = -1;
  #remaining = -1;
  #resetSeconds = -1;

  constructor(template: Headers) {
    this.#headers = new Headers(template);
  }

  /**
   * The headers of a rate-limited response with a validator (contract/responses#conditional-reads). Use them before the
   * next call.
   */
  of(context: RequestContext, rate: RateDecision, etag: string): Headers {
    const headers = this.#headers;
    headers.set('X-Request-Id', context.requestId);
    headers.set('traceparent', context.traceparent);
    const durationMs = Math.floor(performance.now() - context.startedAtMs);
    if (durationMs !== this.#durationMs) {
      this.#durationMs = durationMs;
      headers.set('X-Duration-Ms', durationMs.toString());
    }
    if (etag !== this.#etag) {
      this.#etag = etag;
      headers.set('ETag', etag);
    }
    this.#writeRate(rate);
    return headers;
  }

  #writeRate({ limit, remaining, resetSeconds }: RateDecision): void {
    if (limit !== this.#limit) {
      this.#limit = limit;
      this.#headers.set('X-RateLimit-Limit', limit.toString());
    }
    if (remaining !== this.#remaining) {
      this.#remaining = remaining;
      this.#headers.set('X-RateLimit-Remaining', remaining.toString());
    }
    if (resetSeconds !== this.#resetSeconds) {
      this.#resetSeconds = resetSeconds;
      this.#headers.set('X-RateLimit-Reset', resetSeconds.toString());
    }
  }
}
