import type { Config } from '../../config/load.ts';
import type { Logger } from '../../shared/log.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import { clientSubject } from '../access/client-address.ts';
import type { AnyExchange } from '../exchange.ts';
import { isCacheable } from '../route.ts';

/** Called with every response of the contract, just before it is sent. */
export type AccessLog = (exchange: AnyExchange, status: number, code: ProblemCode | undefined) => void;

/**
 * Writes one line for each mutation, failure and request that needs a key. Anonymous reads that succeed get one
 * only with `ACCESS_LOG=all`, because a line costs 30 to 40 µs of CPU (measured on a busy machine).
 */
export function createAccessLog(
  log: Logger,
  { accessLog, trustedProxyHops }: Pick<Config, 'accessLog' | 'trustedProxyHops'>,
): AccessLog {
  const isAll = accessLog === 'all';
  return (exchange, status, code) => {
    const { context, definition, principal } = exchange;
    const { request } = context;
    const isQuiet =
      code === undefined &&
      (principal === undefined || (definition !== undefined && isCacheable(definition))) &&
      (request.method === 'GET' || request.method === 'HEAD');
    if ((isQuiet && !isAll) || !log.isLevelEnabled('info')) return;
    log.info(
      {
        requestId: context.requestId,
        traceId: context.traceparent.slice(3, 35),
        method: request.method,
        operation: definition?.id ?? null,
        path: context.shownPath,
        status,
        code: code ?? null,
        durationMs: performance.now() - context.startedAtMs,
        keyId: principal?.id ?? null,
        accountId: principal?.accountId ?? null,
        client: clientSubject(context, trustedProxyHops),
        replayed: exchange.replayed,
        bytes: request.method === 'HEAD' ? 0 : byteLength(exchange.sent),
      },
      'request',
    );
  };
}

function byteLength(sent: string | Uint8Array | null): number {
  return sent === null ? 0 : Buffer.byteLength(sent);
}
