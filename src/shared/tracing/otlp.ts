import type { SpanContext } from './trace-context.ts';

/** Attributes of a span; null leaves one out. */
type SpanAttributes = Readonly<Record<string, string | number | boolean | null>>;

type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';

export interface FinishedSpan {
  context: SpanContext;
  /** Null for the first span of a trace. */
  parentSpanId: string | null;
  /** `tracestate` of the caller whose trace it continues. */
  traceState?: string;
  /** From a bounded set: never with ids. */
  name: string;
  kind: SpanKind;
  startUnixMs: number;
  endUnixMs: number;
  attributes: SpanAttributes;
  failed: boolean;
}

/** The sender: `service.name` and the like. */
export type Resource = Readonly<Record<string, string>>;

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
const STATUS_ERROR = 2;

/** The body of an OTLP/HTTP export in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export function otlpBody(resource: Resource, spans: readonly FinishedSpan[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'launchwire' }, spans: spans.map(spanOf) }],
      },
    ],
  });
}

function spanOf({
  context,
  parentSpanId,
  traceState,
  name,
  kind,
  startUnixMs,
  endUnixMs,
  attributes,
  failed,
}: FinishedSpan) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    ...(traceState === undefined ? {} : { traceState }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startUnixMs),
    endTimeUnixNano: nanoseconds(endUnixMs),
    attributes: attributesOf(attributes),
    status: failed ? { code: STATUS_ERROR } : {},
  };
}

/** A decimal string: 64 bits do not fit a JSON number. Microseconds are exact. */
function nanoseconds(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}

function attributesOf(attributes: SpanAttributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: attributeValue(value) }],
  );
}

function attributeValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: value.toString() } : { doubleValue: value };
}
