import { randomBytes } from 'node:crypto';
import { eventually } from '../run/eventually.ts';
import { type Receiver, startReceiver } from '../webhooks/webhook-receiver.ts';

/** A span received over OTLP/HTTP. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  name: string;
  kind: number;
  startMs: number;
  endMs: number;
  failed: boolean;
  attributes: Record<string, string | number | boolean>;
}

export interface TraceReceiver {
  receiver: Receiver;
  spans(): ReceivedSpan[];
  /** Waits until the trace has spans with all these names. Returns all of its spans. */
  trace(traceId: string, names: readonly string[]): Promise<ReceivedSpan[]>;
}

/** Starts a small OTLP/HTTP receiver of JSON that stores all spans. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const receiver = await startReceiver({
    respond: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  });
  const received = () => receiver.requests.flatMap(({ body }) => spansOf(JSON.parse(body.toString())));
  // An export that was answered late is sent again.
  const spans = () => [...new Map(received().map((span) => [`${span.spanId} ${span.name}`, span])).values()];
  return {
    receiver,
    spans,
    trace: (traceId, names) =>
      eventually(`${names.join(', ')} in one trace`, async () => {
        const found = spans().filter((span) => span.traceId === traceId);
        return names.every((name) => found.some((span) => span.name === name)) && found;
      }),
  };
}

type WireValue =
  | { stringValue: string }
  | { intValue: string }
  | { doubleValue: number }
  | { boolValue: boolean };
type WireAttributes = { key: string; value: WireValue }[];

interface WireExport {
  resourceSpans: {
    resource: { attributes: WireAttributes };
    scopeSpans: { spans: WireSpan[] }[];
  }[];
}

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: WireAttributes;
  status: { code?: number };
}

function spansOf({ resourceSpans }: WireExport): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(attributesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => readSpan(service, span)));
  });
}

function readSpan(service: string, span: WireSpan): ReceivedSpan {
  const { traceId, spanId, parentSpanId = null, name, kind, attributes, status } = span;
  return {
    service,
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startMs: Number(BigInt(span.startTimeUnixNano) / 1000n) / 1000,
    endMs: Number(BigInt(span.endTimeUnixNano) / 1000n) / 1000,
    failed: status.code === 2,
    attributes: attributesOf(attributes),
  };
}

function attributesOf(attributes: WireAttributes): Record<string, string | number | boolean> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]));
}

function readValue(value: WireValue): string | number | boolean {
  if ('stringValue' in value) return value.stringValue;
  if ('intValue' in value) return Number(value.intValue);
  return 'doubleValue' in value ? value.doubleValue : value.boolValue;
}

export const PARENT_SPAN_ID = 'b7ad6b7169203331';

/** A client with a span that is the parent of the request's. */
interface TracingCaller {
  traceId: string;
  traceparent: string;
}

/** @param flags `01` when the caller records, else `00` */
export function newCaller(flags = '01'): TracingCaller {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${PARENT_SPAN_ID}-${flags}` };
}

/** The only span of this name that satisfies the filter. */
export function one(
  spans: readonly ReceivedSpan[],
  name: string,
  filter = (_: ReceivedSpan) => true,
): ReceivedSpan {
  const [span, ...more] = spans.filter((candidate) => candidate.name === name && filter(candidate));
  if (span === undefined || more.length > 0) throw new Error(`${more.length + 1} spans ${name}`);
  return span;
}

/** Spans about events of this catalogue name. */
export const ofType = (name: string) => (span: ReceivedSpan) =>
  span.attributes['launchwire.event.type'] === `build.service.${name}.v1`;
