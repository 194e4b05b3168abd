import type { ProblemCode } from '../../shared/problem-table.ts';
import { parseTraceparent } from '../../shared/tracing/trace-context.ts';
import type { Tracing } from '../../shared/tracing/tracing.ts';
import type { AnyExchange } from '../exchange.ts';

/** The part of tracing that the pipeline needs; absent when tracing is off. */
export interface RequestTracing extends Pick<Tracing, 'samples' | 'within'> {
  /** Records the span of a finished request, with the ids of its `traceparent`. */
  record(exchange: AnyExchange, status: number, code: ProblemCode | undefined): void;
}

/**
 * Server spans after the semantic conventions of HTTP, for operations below `prefix`.
 * @param scheme that of the address which clients use: a proxy before the process may end TLS
 */
export function createRequestTracing(tracing: Tracing, prefix: string, scheme: string): RequestTracing {
  return {
    samples: tracing.samples,
    within: tracing.within,
    record({ context, definition, replayed }, status, code) {
      const own = parseTraceparent(context.traceparent);
      if (own === null || !own.sampled) return;
      const { method, headers } = context.request;
      const route = definition === undefined ? null : `${prefix}${definition.path}`;
      const parent = parseTraceparent(headers.get('traceparent'));
      const traceState = headers.get('tracestate');
      tracing.record({
        context: own,
        parentSpanId: parent?.spanId ?? null,
        ...(parent !== null && isTraceState(traceState) && { traceState }),
        name: route === null ? method : `${method} ${route}`,
        kind: 'server',
        startedAtMs: context.startedAtMs,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'url.scheme': scheme,
          'url.path': context.shownPath,
          'error.type': status >= 500 ? (code ?? status.toString()) : null,
          'launchwire.operation.id': definition?.id ?? null,
          'launchwire.problem.code': code ?? null,
          'launchwire.request.id': context.requestId,
          'launchwire.request.replayed': replayed ? true : null,
        },
        // A 4xx is a mistake of the client.
        failed: status >= 500,
      });
    },
  };
}

/** Longer ones need not be kept: https://www.w3.org/TR/trace-context/#tracestate-limits */
const TRACE_STATE_LENGTH_MAX = 512;

function isTraceState(text: string | null): text is string {
  return text !== null && text !== '' && text.length <= TRACE_STATE_LENGTH_MAX;
}
