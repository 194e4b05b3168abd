import type { Logger } from '../../shared/log.ts';
import type { RequestContext } from '../request-context.ts';

const PAUSE_MS = 1_000;

/**
 * Warns once when a proxy in front is not trusted: all its clients then share one budget. Samples one request
 * a second until it has warned.
 */
export class ForwardingWatch {
  readonly #log: Logger;
  #nextAtMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  observe(context: RequestContext): void {
    const { request, startedAtMs } = context;
    if (startedAtMs < this.#nextAtMs) return;
    const isForwarded = hasForwardedHeaders(request);
    this.#nextAtMs = isForwarded ? Number.POSITIVE_INFINITY : startedAtMs + PAUSE_MS;
    if (isForwarded)
      this.#log.warn({ peer: context.peerAddress, reason: 'TRUSTED_PROXY_HOPS is 0' }, 'proxy.not_trusted');
  }
}

function hasForwardedHeaders({ headers }: Request): boolean {
  return headers.has('x-forwarded-for') || headers.has('forwarded');
}
