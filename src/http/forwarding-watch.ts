import type { Logger } from '../shared/log.ts';
import type { RequestContext } from './request-context.ts';

const PAUSE_MS = 1_000;

/**
 * Says once that a proxy stands in front and is not believed: all clients behind it then share one budget. Looks at one
 * request a second until it has said so.
 */
export class ForwardingWatch {
  readonly #log: Logger;
  #nextLookAtMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  look({ request, startedAtMs, peerAddress }: RequestContext): void {
    if (startedAtMs < this.#nextLookAtMs) return;
    const isForwarded = hasForwardedHeaders(request);
    this.#nextLookAtMs = isForwarded ? Number.POSITIVE_INFINITY : startedAtMs + PAUSE_MS;
    if (isForwarded) this.#log.warn({ peer: peerAddress() }, 'proxy.not_trusted: TRUSTED_PROXY_HOPS is 0');
  }
}

/** True when a proxy says on whose behalf it asks. */
export function hasForwardedHeaders({ headers }: Request): boolean {
  return headers.has('x-forwarded-for') || headers.has('forwarded');
}
