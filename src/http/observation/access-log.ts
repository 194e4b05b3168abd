import type { Config } from '../../config/load.ts';
import { encodedLines } from '../../shared/encoded-lines.ts';
import type { Logger } from '../../shared/log.ts';
import type { ProblemCode } from '../../shared/problem-table.ts';
import type { Principal } from '../access/authentication.ts';
import { clientSubject } from '../access/client-address.ts';
import type { AnyExchange } from '../exchange.ts';
import { isCacheable } from '../route.ts';

/** Called with every response of the contract, just before it is sent. */
export type AccessLog = (exchange: AnyExchange, status: number, code: ProblemCode | undefined) => void;

/**
 * Writes one line for each mutation, failure and request that needs a key. Anonymous reads that succeed get one
 * only with `ACCESS_LOG=all`, because a line costs a quarter of such a read.
 *
 * The fields are encoded by hand (decision 0121), in the order of docs/operations/monitoring.md. The path, the client and the
 * trace id come from outside and are redacted in every line, the ids of a key once. Everything else is a number, random,
 * or a name of this code.
 */
export function createAccessLog(
  log: Logger,
  { accessLog, trustedProxyHops }: Pick<Config, 'accessLog' | 'trustedProxyHops'>,
): AccessLog {
  const isAll = accessLog === 'all';
  const { redact, write } = encodedLines(log, 'info', 'request');
  const callerOf = callerFields(redact);
  return (exchange, status, code) => {
    const { context, definition, principal, replayed, sent } = exchange;
    const { method } = context.request;
    const isRead = method === 'GET' || method === 'HEAD';
    const isQuiet =
      code === undefined &&
      (principal === undefined || (definition !== undefined && isCacheable(definition))) &&
      isRead;
    if ((isQuiet && !isAll) || !log.isLevelEnabled('info')) return;
    const traceId = `"${context.traceparent.slice(3, 35)}"`;
    const path = JSON.stringify(context.shownPath);
    const client = JSON.stringify(clientSubject(context, trustedProxyHops));
    // One search for the three. If it finds something, each is redacted on its own, so that none takes a part of the next.
    const fromOutside = traceId + path + client;
    const clean = redact(fromOutside) === fromOutside ? unchanged : redact;
    const operation = definition === undefined ? 'null' : `"${definition.id}"`;
    const durationMs = Math.round(performance.now() - context.startedAtMs);
    const bytes = method === 'HEAD' || sent === null ? 0 : Buffer.byteLength(sent);
    write(
      `,"requestId":"${context.requestId}","traceId":${clean(traceId)},"method":"${method}","operation":${operation},"path":${clean(path)}` +
        `,"status":${status},"code":${code === undefined ? 'null' : `"${code}"`},"durationMs":${durationMs}` +
        `${callerOf(principal)},"client":${clean(client)},"replayed":${replayed},"bytes":${bytes}`,
    );
  };
}

function unchanged(text: string): string {
  return text;
}

/** The ids of a key, encoded and redacted once while the key is remembered. */
function callerFields(redact: (text: string) => string): (principal: Principal | undefined) => string {
  const known = new WeakMap<Principal, string>();
  return (principal) => {
    if (principal === undefined) return ',"keyId":null,"accountId":null';
    let fields = known.get(principal);
    if (fields === undefined) {
      const [keyId, accountId] = [principal.id, principal.accountId].map((id) => redact(JSON.stringify(id)));
      fields = `,"keyId":${keyId},"accountId":${accountId}`;
      known.set(principal, fields);
    }
    return fields;
  };
}
