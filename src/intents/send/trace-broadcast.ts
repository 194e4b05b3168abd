import type { ChildContext, Tracing } from '../../shared/tracing/tracing.ts';

/** One send of a transaction to every address, for its span. */
export interface TracedBroadcast {
  intentId: string;
  /** It has not been sent before. */
  isFirst: boolean;
  /** W3C trace context of the submission; null without tracing. */
  traceparent: string | null;
}

/** Runs a send as a span of the submission's trace. The span fails unless `work` returns true. */
export function traceBroadcast(
  tracing: Tracing | undefined,
  broadcast: TracedBroadcast,
  targets: number,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const child = tracing?.childOf(broadcast.traceparent) ?? null;
  if (tracing === undefined || child === null) return work();
  return recordSpan(tracing, child, broadcast, targets, work);
}

async function recordSpan(
  tracing: Tracing,
  child: ChildContext,
  { intentId, isFirst }: TracedBroadcast,
  targets: number,
  work: () => Promise<boolean>,
): Promise<boolean> {
  const startedAtMs = performance.now();
  let accepted = false;
  try {
    accepted = await work();
  } finally {
    tracing.record({
      ...child,
      name: 'broadcast intent',
      kind: 'internal',
      startedAtMs,
      attributes: {
        'launchwire.intent.id': intentId,
        'launchwire.broadcast.first': isFirst,
        'launchwire.broadcast.nodes': targets,
      },
      failed: !accepted,
    });
  }
  return accepted;
}
