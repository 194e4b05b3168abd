import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from '../log.ts';
import type { FinishedSpan, Resource } from './otlp.ts';
import { type ExporterSettings, SpanExporter } from './span-exporter.ts';
import {
  formatTraceparent,
  isInRatio,
  parseTraceparent,
  randomSpanId,
  randomTraceId,
  type SpanContext,
} from './trace-context.ts';

/** A span from its maker: its start is a value of `performance.now()`, its end is the moment of recording. */
interface EndedSpan extends Omit<FinishedSpan, 'startUnixMs' | 'endUnixMs'> {
  startedAtMs: number;
}

/** Tracing of a process; absent when the variable is unset. */
export interface Tracing {
  /** Spans that the receiver took, and spans lost while it was unavailable. */
  readonly counts: { readonly exported: number; readonly dropped: number };
  /** True when a new trace with this id is recorded. */
  samples(traceId: string): boolean;
  /** Returns the context of a new span below `traceparent`; null when that trace is not recorded. */
  childOf(traceparent: string | null): ChildContext | null;
  /** Returns the context of a new trace; the ratio decides on `sampled`. */
  root(): SpanContext;
  record(span: EndedSpan): void;
  /** Runs `work`; events that it appends belong to the span of `traceparent`. */
  within<Value>(traceparent: string, work: () => Value): Value;
  /** The traceparent of the innermost `within`. */
  current(): string | null;
  /** Sends the queue within 2 s. Never rejects. */
  close(): Promise<void>;
}

export interface ChildContext {
  context: SpanContext;
  parentSpanId: string;
}

interface TracingOptions {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string;
  /** `OTEL_TRACES_SAMPLER_ARG`. */
  ratio: number;
  /** `OTEL_EXPORTER_OTLP_HEADERS`. */
  headers: Readonly<Record<string, string>>;
  resource: Resource;
  log: Logger;
  exporter?: Partial<ExporterSettings>;
}

/** Spans use a monotonic clock; it is adjusted when it differs from the system's clock by more than this. */
const CLOCK_TOLERANCE_MS = 5;

export function createTracing(options: TracingOptions): Tracing {
  const { endpoint, headers, ratio, resource, log, exporter: settings } = options;
  const exporter = new SpanExporter({
    endpoint,
    headers,
    log,
    resource,
    ...(settings === undefined ? {} : { settings }),
  });
  const storage = new AsyncLocalStorage<string>();
  let clockOffsetMs = performance.timeOrigin;
  return {
    counts: exporter,
    samples: (traceId) => isInRatio(traceId, ratio),
    childOf(traceparent) {
      const parent = parseTraceparent(traceparent);
      if (parent === null || !parent.sampled) return null;
      return { context: { ...parent, spanId: randomSpanId() }, parentSpanId: parent.spanId };
    },
    root() {
      const traceId = randomTraceId();
      return { traceId, spanId: randomSpanId(), sampled: isInRatio(traceId, ratio) };
    },
    record({ startedAtMs, ...span }) {
      if (!span.context.sampled) return;
      const nowMs = performance.now();
      const offsetMs = Date.now() - nowMs;
      if (Math.abs(offsetMs - clockOffsetMs) > CLOCK_TOLERANCE_MS) clockOffsetMs = offsetMs;
      exporter.add({ ...span, startUnixMs: clockOffsetMs + startedAtMs, endUnixMs: clockOffsetMs + nowMs });
    },
    within: (traceparent, work) => storage.run(traceparent, work),
    current: () => storage.getStore() ?? null,
    close: () => exporter.close(),
  };
}

/**
 * Returns the `traceparent` of the next event: that of the work that causes it, or of a new trace that begins
 * with the event.
 */
export function eventTraceparent(tracing: Tracing, eventType: string): string {
  const current = tracing.current();
  if (current !== null) return current;
  const context = tracing.root();
  tracing.record({
    context,
    parentSpanId: null,
    name: 'create event',
    kind: 'producer',
    startedAtMs: performance.now(),
    attributes: { 'launchwire.event.type': eventType },
    failed: false,
  });
  return formatTraceparent(context);
}
