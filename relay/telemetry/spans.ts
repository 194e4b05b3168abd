import { EVENT_STREAM } from '../../src/shared/bus/topology.ts';
import type { ChildContext, Tracing } from '../../src/shared/tracing/tracing.ts';
import type { AttemptResult } from '../model/attempt-result.ts';

/** The fields of an event for the span of its fan-out. */
interface TracedEvent {
  id: string;
  traceparent: string | null;
}

/** Called with events whose fan-out has begun or ended, and the `performance.now()` at which it began. */
export type FanOutListener = (events: readonly TracedEvent[], startedAtMs: number) => void;

/** How the relay learned of an event. */
export type FanOutPath = 'hint' | 'message' | 'reconciler';

/** Records a span for each event, as a child of the span that caused the event. */
export function traceFanOut(tracing: Tracing | undefined, path: FanOutPath): FanOutListener | undefined {
  if (tracing === undefined) return undefined;
  return (events, startedAtMs) => {
    for (const { id, traceparent } of events) {
      const child = tracing.childOf(traceparent);
      if (child === null) continue;
      tracing.record({
        ...child,
        name: 'fan out event',
        kind: 'consumer',
        startedAtMs,
        attributes: {
          'messaging.system': 'nats',
          'messaging.operation.name': 'fan out',
          'messaging.operation.type': 'process',
          'messaging.destination.name': EVENT_STREAM,
          'messaging.message.id': id,
          'messaging.batch.message_count': events.length,
          'launchwire.fan_out.path': path,
        },
        failed: false,
      });
    }
  };
}

/** Records the span of an attempt, without path and query of its URL, which may have secrets of the subscriber. */
export function recordAttemptSpan(
  tracing: Tracing,
  child: ChildContext,
  startedAtMs: number,
  { claim, verdict, trace }: AttemptResult,
): void {
  const url = URL.canParse(claim.endpoint.url) ? new URL(claim.endpoint.url) : null;
  tracing.record({
    ...child,
    name: 'POST webhook',
    kind: 'client',
    startedAtMs,
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': claim.attemptNumber > 1 ? claim.attemptNumber - 1 : null,
      'http.response.status_code': verdict.responseStatus,
      'server.address': url?.hostname ?? null,
      'server.port': url === null ? null : portOf(url),
      'network.peer.address': trace.resolvedAddress,
      'error.type': verdict.errorCode,
      'messaging.message.id': claim.eventId,
      'launchwire.event.type': claim.eventType,
      'launchwire.delivery.id': claim.deliveryId,
      'launchwire.endpoint.id': claim.endpoint.id,
      'launchwire.attempt.number': claim.attemptNumber,
      'launchwire.attempt.queued_ms': claim.queuedMs,
      'launchwire.attempt.redirects': trace.redirectCount,
      'launchwire.attempt.connection_reused': trace.connectionReused,
      'launchwire.attempt.dns_ms': trace.dnsMs,
      'launchwire.attempt.connect_ms': trace.connectMs,
      'launchwire.attempt.tls_ms': trace.tlsMs,
      'launchwire.attempt.first_byte_ms': trace.firstByteMs,
    },
    failed: !verdict.succeeded,
  });
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'http:' ? 80 : 443;
}
