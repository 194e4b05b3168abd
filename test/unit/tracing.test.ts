import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { parseVariables } from '../../src/config/variable.ts';
import { observationVariables } from '../../src/config/variables/observation.ts';
import { openExchange } from '../../src/http/exchange.ts';
import { createRequestTracing } from '../../src/http/observation/request-tracing.ts';
import { RequestContext } from '../../src/http/request-context.ts';
import { headerTemplates } from '../../src/http/responses/response-headers.ts';
import { createLogger } from '../../src/shared/log.ts';
import { otlpBody } from '../../src/shared/tracing/otlp.ts';
import { type ExporterSettings, SpanExporter } from '../../src/shared/tracing/span-exporter.ts';
import { startTracing } from '../../src/shared/tracing/start-tracing.ts';
import { formatTraceparent, isInRatio, parseTraceparent } from '../../src/shared/tracing/trace-context.ts';
import { createTracing, eventTraceparent, type Tracing } from '../../src/shared/tracing/tracing.ts';
import { startTraceReceiver } from '../support/telemetry/trace-receiver.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';

const log = createLogger('test', 'silent');
const context = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };

function span(name: string) {
  return {
    context,
    parentSpanId: null,
    name,
    kind: 'internal',
    startUnixMs: 1_700_000_000_000.123,
    endUnixMs: 1_700_000_000_001,
    attributes: {},
    failed: false,
  } as const;
}

function exporterOf(endpoint: string, settings: Partial<ExporterSettings> = {}): SpanExporter {
  const patient = { closeTimeoutMs: 60_000, exportTimeoutMs: 60_000, ...settings };
  return new SpanExporter({
    endpoint,
    headers: {},
    resource: { 'service.name': 'test' },
    log,
    settings: patient,
  });
}

describe('the exporter', () => {
  test('sends waiting spans in batches, when one is full or after the delay, and the rest at its close', async () => {
    const { receiver, spans } = await startTraceReceiver();
    const exporter = exporterOf(receiver.origin, { batchMax: 2, delayMs: 10 });
    for (const name of ['1', '2', '3']) exporter.add(span(name));
    await receiver.received(2);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/v1/traces', '/v1/traces']);
    exporter.add(span('4'));
    await exporter.close();
    expect(spans().map(({ name }) => name)).toEqual(['1', '2', '3', '4']);
    expect(exporter).toMatchObject({ exported: 4, dropped: 0 });
  });

  test('keeps a batch while the receiver is away, and sends it when it is back', async () => {
    const receiver = await startReceiver({
      respond: (response, _request, index) => response.writeHead(index === 0 ? 503 : 200).end('{}'),
    });
    const exporter = exporterOf(receiver.origin, { delayMs: 1, retryMs: 1 });
    exporter.add(span('1'));
    const [first, second] = await receiver.received(2);
    expect(second?.body).toEqual(first?.body ?? Buffer.alloc(0));
    await exporter.close();
    expect(exporter).toMatchObject({ exported: 1, dropped: 0 });
  });

  test('does not repeat a batch that the receiver refuses for good', async () => {
    const receiver = await startReceiver({ respond: (response) => response.writeHead(400).end() });
    const exporter = exporterOf(receiver.origin, { delayMs: 1, retryMs: 1 });
    exporter.add(span('1'));
    await receiver.received(1);
    await exporter.close();
    expect(receiver.requests).toHaveLength(1);
    expect(exporter).toMatchObject({ exported: 0, dropped: 1 });
  });

  test('drops and counts spans beyond its queue, and spans left at its close', async () => {
    const silent = await startRawReceiver(() => {});
    const exporter = exporterOf(`http://127.0.0.1:${silent.port}`, {
      queueMax: 3,
      batchMax: 1,
      closeTimeoutMs: 10,
    });
    // The first is on its way, three wait.
    for (const name of ['1', '2', '3', '4', '5', '6']) exporter.add(span(name));
    expect(exporter.dropped).toBe(2);
    await exporter.close();
    expect(exporter).toMatchObject({ exported: 0, dropped: 6 });
    exporter.add(span('7'));
    expect(exporter.dropped).toBe(7);
  });
});

describe('variables of OpenTelemetry', () => {
  const configured = (environment: Record<string, string>) =>
    parseVariables(observationVariables, environment) as unknown as Parameters<typeof startTracing>[0];

  async function exported(environment: Record<string, string>) {
    const { receiver } = await startTraceReceiver();
    const config = configured({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin, ...environment });
    const tracing = startTracing(config, 'launchwire-test', log) ?? expect.unreachable();
    tracing.record({ ...span('1'), startedAtMs: performance.now() });
    await tracing.close();
    const [request] = receiver.requests;
    const { resource } = JSON.parse(String(request?.body)).resourceSpans[0];
    const attributes = resource.attributes.map(
      ({ key, value }: { key: string; value: { stringValue: string } }) => [key, value.stringValue],
    );
    return { headers: request?.headers, attributes: Object.fromEntries(attributes) };
  }

  test('headers go with each export, decoded, and never replace its type', async () => {
    const { headers } = await exported({
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20dXNlcg==, x-scope = a%2Cb ,content-type=text/plain',
    });
    expect(headers).toMatchObject({
      authorization: 'Basic dXNlcg==',
      'x-scope': 'a,b',
      'content-type': 'application/json',
    });
  });

  test('the name of the service is OTEL_SERVICE_NAME, then the attribute, then ours', async () => {
    const attributes = {
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=by%20attribute,service.version=9,region=eu',
    };
    expect((await exported({})).attributes).toMatchObject({ 'service.name': 'launchwire-test' });
    expect((await exported(attributes)).attributes).toMatchObject({
      'service.name': 'by attribute',
      'service.version': '9',
      region: 'eu',
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const named = await exported({ ...attributes, OTEL_SERVICE_NAME: 'by name' });
    expect(named.attributes).toMatchObject({ 'service.name': 'by name', region: 'eu' });
  });

  test.each(['authorization', '=s3cret-value', 'authorization=%zz-s3cret', 'a b=s3cret', 'x=s3%0Acret'])(
    'headers %p are refused, and not shown',
    (text) => {
      const environment = { OTEL_EXPORTER_OTLP_HEADERS: text };
      let message = '';
      try {
        configured(environment);
      } catch (error) {
        message = String(error);
      }
      expect(message).toContain('OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs');
      expect(message).not.toMatch(/s3.?cret/);
      expect(observationVariables.otlpHeaders.secret?.(text).join()).toContain(text.replace(/^.*=/, ''));
    },
  );
});

test('times are whole nanoseconds of microseconds, and absent attributes are left out', () => {
  const attributes = { text: 'a', whole: 2 ** 40, part: 0.5, flag: false, none: null };
  const body = JSON.parse(otlpBody({}, [{ ...span('1'), attributes, failed: true }]));
  expect(body.resourceSpans[0].scopeSpans[0].spans[0]).toEqual({
    traceId: context.traceId,
    spanId: context.spanId,
    name: '1',
    kind: 1,
    startTimeUnixNano: '1700000000000123000',
    endTimeUnixNano: '1700000000001000000',
    attributes: [
      { key: 'text', value: { stringValue: 'a' } },
      { key: 'whole', value: { intValue: '1099511627776' } },
      { key: 'part', value: { doubleValue: 0.5 } },
      { key: 'flag', value: { boolValue: false } },
    ],
    status: { code: 2 },
  });
});

test.each([
  null,
  '',
  `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
  `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`,
  `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01more`,
  `01-${'a'.repeat(32)}-${'b'.repeat(16)}`,
  `00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`,
])('%p is no traceparent', (text) => {
  expect(parseTraceparent(text)).toBeNull();
});

test.each([
  `01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  `cc-${'a'.repeat(32)}-${'b'.repeat(16)}-03-more`,
  `fe-${'a'.repeat(32)}-${'b'.repeat(16)}-ff-`,
])('%p of a later version is continued in version 00, with the flags that it has', (text) => {
  const parent = parseTraceparent(text);
  expect(parent).toEqual(context);
  expect(parent === null ? null : formatTraceparent(parent)).toBe(
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  );
});

test('the state of a caller goes with the span that continues its trace', () => {
  const recorded: object[] = [];
  const tracing = createRequestTracing(
    {
      samples: () => true,
      within: (_, work) => work(),
      record: (one) => recorded.push(one),
    } as Partial<Tracing> as Tracing,
    '',
    'https',
  );
  const record = (headers: Record<string, string>) => {
    const requestContext = new RequestContext(new Request('http://localhost/', { headers }), () => '');
    tracing.record(openExchange(requestContext, undefined, headerTemplates(undefined)), 200, undefined);
  };
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  record({ traceparent, tracestate: 'one=1,two=2' });
  record({ traceparent, tracestate: `one=${'1'.repeat(512)}` });
  record({ traceparent: 'nonsense', tracestate: 'one=1' });
  expect(recorded.map((one) => (one as { traceState?: string }).traceState)).toEqual([
    'one=1,two=2',
    undefined,
    undefined,
  ]);
  const body = JSON.parse(otlpBody({}, [{ ...span('1'), traceState: 'one=1' }]));
  expect(body.resourceSpans[0].scopeSpans[0].spans[0].traceState).toBe('one=1');
});

test('the ratio takes none, all, or about its part of the traces', () => {
  const ids = Array.from({ length: 10_000 }, () => randomBytes(16).toString('hex'));
  const taken = (ratio: number) => ids.filter((id) => isInRatio(id, ratio)).length;
  expect(taken(0)).toBe(0);
  expect(taken(1)).toBe(10_000);
  // Ten standard deviations.
  expect(Math.abs(taken(0.25) - 2_500)).toBeLessThan(433);
});

test('a trace that begins here is recorded by the ratio, one that is continued as its caller decided', async () => {
  const tracing = createTracing({
    endpoint: 'http://127.0.0.1:9',
    ratio: 0,
    headers: {},
    resource: {},
    log,
  });
  expect(tracing.root().sampled).toBe(false);
  expect(tracing.samples('f'.repeat(32))).toBe(false);
  expect(parseTraceparent(eventTraceparent(tracing, 'type'))).toMatchObject({ sampled: false });
  const of = (flags: string) => tracing.childOf(`00-${context.traceId}-${context.spanId}-${flags}`);
  expect(of('01')).toMatchObject({ parentSpanId: context.spanId, context: { traceId: context.traceId } });
  expect(of('00')).toBeNull();
  expect(tracing.childOf(null)).toBeNull();
  await tracing.close();
  // Nothing listens there: a recorded span would be lost.
  expect(tracing.counts.dropped).toBe(0);
});
