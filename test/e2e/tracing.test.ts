import { beforeAll, describe, expect, test } from 'bun:test';
import { Connection, type Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { freePort } from '../../sandbox/services/free-port.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { type ApiProcess, startApiProcess } from '../support/api/api-process.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { fundedWallet } from '../support/intents/submitted-intent.ts';
import { startRelayProcess, startWorkerProcess } from '../support/processes/service-processes.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  newCaller,
  ofType,
  one,
  PARENT_SPAN_ID,
  startTraceReceiver,
  type TraceReceiver,
} from '../support/telemetry/trace-receiver.ts';
import { type Receiver, startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { createRelayWorld, type RelayWorld } from '../support/webhooks/webhook-relay.ts';

const SUBMISSION = 'POST /api/v2/transaction-intents/:intentId/submissions';
let chain: SandboxChain;
let world: RelayWorld;
let traces: TraceReceiver;
let traced: ObservedApi;

// All cases share one api, worker and relay with tracing.
beforeAll(async () => {
  chain = await startChain({ slotMs: 100 });
  atEnd(() => chain.stop());
  traces = await startTraceReceiver();
  world = await createRelayWorld({
    SOLANA_RPC_URL: chain.rpcUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.receiver.origin,
    WEBHOOK_RETRY_SCHEDULE: '1',
  });
  const [api] = await Promise.all([
    startApi(world.environment),
    startWorkerProcess(world.environment),
    startRelayProcess(world.environment),
  ]);
  traced = api;
});

type ObservedApi = ApiProcess & { metricsPort: number };

async function startApi(environment: Record<string, string>): Promise<ObservedApi> {
  const { DATABASE_URL = '', ...more } = environment;
  const metricsPort = await freePort();
  const api = await startApiProcess(DATABASE_URL, { ...more, METRICS_PORT: String(metricsPort) });
  const readiness = new URL('/readyz', api.baseUrl);
  await eventually('the api is at the broker', async () =>
    /"nats"[^}]*"ready":true/.test(await (await fetch(readiness)).text()),
  );
  return { ...api, metricsPort };
}

/** Event types of a prepared intent. These tests prepare intents without a traced request. */
const ofIntents = ['submitted', 'confirmed', 'failed', 'expired'].map(
  (name) => `build.service.transaction_intent.${name}.v1`,
);

/** A subscriber of these events of the account. */
async function subscriber(key: TestKey): Promise<Receiver> {
  const receiver = await startReceiver();
  await world.createEndpoint(`${receiver.origin}/hook/s3cret-path?token=s3cret-query`, {
    accountId: key.accountId,
    eventTypes: ofIntents,
  });
  return receiver;
}

/** Submits a transfer from a funded wallet. */
async function submit(api: ApiProcess, key: TestKey, wallet: Keypair, headers: Record<string, string>) {
  const { accountId } = key;
  const { blockhash } = await new Connection(chain.rpcUrl).getLatestBlockhash();
  const prepared = await createPreparedIntent(world.sql, { accountId, wallet, blockhash });
  const signed = signWith(prepared.unsigned, wallet);
  const response = await submitIntent(api.baseUrl, prepared.id, { key, signed, headers });
  expect(response.status).toBe(202);
  return { intentId: prepared.id, response };
}

async function ofWallet(): Promise<{ key: TestKey; wallet: Keypair }> {
  const wallet = await fundedWallet(chain.rpcUrl);
  return { wallet, key: await createTestKey(world.sql, { walletAddress: wallet.publicKey.toBase58() }) };
}

describe('with a receiver', () => {
  test('one trace leads from the caller over submission, broadcast, publication and fan-out to the attempt', async () => {
    const { key, wallet } = await ofWallet();
    const subscribed = await subscriber(key);
    const caller = newCaller();
    const { intentId, response } = await submit(traced, key, wallet, { traceparent: caller.traceparent });
    const ofIntent = await eventually('both events', async () => {
      const found = subscribed.requests.filter(({ body }) => body.includes(intentId));
      return found.length === 2 && found;
    });
    const eventIds = ofIntent.map(({ headers }) => headers['webhook-id']);
    const spans = await eventually('every span', async () => {
      const found = traces.spans().filter(({ traceId }) => traceId === caller.traceId);
      const isThere = (name: string, id?: string) =>
        found.some((span) => span.name === name && (!id || span.attributes['messaging.message.id'] === id));
      const ofEvents = ['publish event', 'fan out event', 'POST webhook'];
      const all = eventIds.every((id) => ofEvents.every((name) => isThere(name, id)));
      return all && isThere('broadcast intent') && isThere(SUBMISSION) && found;
    });

    const server = one(spans, SUBMISSION);
    expect(server).toMatchObject({
      service: 'launchwire-api',
      kind: 2,
      parentSpanId: PARENT_SPAN_ID,
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v2/transaction-intents/:intentId/submissions',
        'http.response.status_code': 202,
        'url.scheme': 'https',
        'url.path': `/api/v2/transaction-intents/${intentId}/submissions`,
        'launchwire.operation.id': 'submitTransactionIntent',
        'launchwire.request.id': response.headers.get('x-request-id'),
      },
    });
    expect(response.headers.get('traceparent')).toBe(`00-${caller.traceId}-${server.spanId}-01`);

    // On a busy machine the worker sends again before the intent has ended.
    const isResend = ({ service, name }: (typeof spans)[number]) =>
      service === 'launchwire-worker' && name === 'broadcast intent';
    const others = spans.filter((span) => span !== server && !isResend(span));
    expect(new Set(others.map(({ service, name, kind }) => `${service} ${kind} ${name}`))).toEqual(
      new Set([
        'launchwire-relay 3 POST webhook',
        'launchwire-relay 5 fan out event',
        'launchwire-api 1 broadcast intent',
        'launchwire-worker 4 publish event',
      ]),
    );
    const destinations = others.map(({ name, attributes }) => [
      name,
      attributes['messaging.operation.name'],
      attributes['messaging.destination.name'],
    ]);
    expect(destinations).toContainEqual(['publish event', 'publish', 'EVENTS']);
    expect(destinations).toContainEqual(['fan out event', 'fan out', 'EVENTS']);
    for (const { parentSpanId, startMs, endMs, failed } of others) {
      expect({ parentSpanId, failed }).toEqual({ parentSpanId: server.spanId, failed: false });
      expect(endMs).toBeGreaterThanOrEqual(startMs);
    }
    // The chain refuses the transfer, because the new account would hold less than its rent.
    for (const name of ['transaction_intent.submitted', 'transaction_intent.failed']) {
      const attempt = one(spans, 'POST webhook', ofType(name));
      const received = ofIntent.find(({ body }) => body.includes(`build.service.${name}.v1`));
      expect(received?.headers.traceparent).toBe(`00-${caller.traceId}-${attempt.spanId}-01`);
      expect(attempt.attributes).toMatchObject({
        'http.response.status_code': 204,
        'server.address': '127.0.0.1',
        'server.port': subscribed.port,
        'messaging.message.id': received?.headers['webhook-id'] ?? '',
        'launchwire.attempt.number': 1,
      });
    }
    expect(JSON.stringify(traces.receiver.requests.map(({ body }) => body.toString()))).not.toContain(
      's3cret',
    );
  });

  test('an event of a mutation in a transaction of its own belongs to its request too', async () => {
    const key = await createTestKey(world.sql);
    const receiver = await startReceiver();
    const caller = newCaller();
    const response = await fetch(`${traced.baseUrl}/webhook-endpoints`, {
      method: 'POST',
      headers: {
        ...key.header,
        'content-type': 'application/json',
        'idempotency-key': 'traced-endpoint-1',
        traceparent: caller.traceparent,
      },
      body: JSON.stringify({ url: receiver.origin, eventTypes: ['*'] }),
    });
    expect(response.status).toBe(201);
    const [ping] = await receiver.received(1);
    const spans = await traces.trace(caller.traceId, [
      'POST /api/v2/webhook-endpoints',
      'publish event',
      'fan out event',
      'POST webhook',
    ]);
    const server = one(spans, 'POST /api/v2/webhook-endpoints');
    const attempt = one(spans, 'POST webhook');
    expect(attempt.parentSpanId).toBe(server.spanId);
    expect(ping?.headers.traceparent).toBe(`00-${caller.traceId}-${attempt.spanId}-01`);
    expect(ping?.body.toString()).not.toContain(caller.traceId);
  });

  test('a problem is recorded by its code, and is a failure only when the service caused it', async () => {
    const caller = newCaller();
    const headers = { traceparent: caller.traceparent };
    expect((await fetch(`${traced.baseUrl}/tokens?limit=0`, { headers })).status).toBe(422);
    expect((await fetch(`${traced.baseUrl}/nowhere`, { headers })).status).toBe(404);
    const spans = await traces.trace(caller.traceId, ['GET /api/v2/tokens', 'GET']);
    expect(one(spans, 'GET /api/v2/tokens')).toMatchObject({
      failed: false,
      attributes: { 'http.response.status_code': 422, 'launchwire.problem.code': 'validation_failed' },
    });
    expect(one(spans, 'GET').attributes).toMatchObject({ 'launchwire.problem.code': 'not_found' });
    expect(spans.map(({ attributes }) => attributes['url.path'])).toContain('/api/v2/tokens');
  });

  test('a caller that does not record is followed: nothing is exported, the subscriber is given the trace', async () => {
    const { key, wallet } = await ofWallet();
    const subscribed = await subscriber(key);
    const [quiet, loud] = [newCaller('00'), newCaller()];
    await submit(traced, key, wallet, { traceparent: quiet.traceparent });
    const [first] = await subscribed.received(1);
    expect(first?.headers.traceparent).toMatch(new RegExp(`^00-${quiet.traceId}-[0-9a-f]{16}-00$`));
    await submit(traced, key, wallet, { traceparent: loud.traceparent });
    await traces.trace(loud.traceId, ['publish event', 'fan out event', 'POST webhook']);
    expect(traces.spans().filter(({ traceId }) => traceId === quiet.traceId)).toEqual([]);
  });

  test('every attempt is a span of its own in the trace of the event', async () => {
    const { key, wallet } = await ofWallet();
    const subscribed = await subscriber(key);
    subscribed.respond = (response, _request, index) => response.writeHead(index === 0 ? 503 : 204).end();
    const caller = newCaller();
    await submit(traced, key, wallet, { traceparent: caller.traceparent });
    const spans = await eventually('two attempts of one delivery', async () => {
      const attempts = traces.spans().filter((span) => span.traceId === caller.traceId && span.kind === 3);
      return attempts.some(({ attributes }) => attributes['launchwire.attempt.number'] === 2) && attempts;
    });
    const second = one(spans, 'POST webhook', (span) => span.attributes['launchwire.attempt.number'] === 2);
    const first = one(
      spans,
      'POST webhook',
      ({ attributes }) =>
        attributes['launchwire.attempt.number'] === 1 &&
        attributes['launchwire.delivery.id'] === second.attributes['launchwire.delivery.id'],
    );
    expect(first).toMatchObject({ failed: true, attributes: { 'error.type': 'http_503' } });
    expect(second).toMatchObject({ failed: false, parentSpanId: first.parentSpanId });
    expect(second.spanId).not.toBe(first.spanId);
  });

  test('an event without a request begins a trace', async () => {
    const { key, wallet } = await ofWallet();
    const subscribed = await subscriber(key);
    const { accountId } = key;
    const { id } = await createPreparedIntent(world.sql, { accountId, wallet, expiresInMs: 1 });
    const [expired] = await subscribed.received(1, ({ body }) => body.includes(id));
    const [, traceId = '', spanId] = expired?.headers.traceparent?.split('-') ?? [];
    const names = ['create event', 'publish event', 'fan out event', 'POST webhook'];
    const spans = await traces.trace(traceId, names);
    const first = one(spans, 'create event');
    expect(first).toMatchObject({ service: 'launchwire-worker', parentSpanId: null });
    expect(ofType('transaction_intent.expired')(first)).toBe(true);
    expect(new Set(spans.map(({ name }) => name))).toEqual(new Set(names));
    for (const span of spans) if (span !== first) expect(span.parentSpanId).toBe(first.spanId);
    expect(one(spans, 'POST webhook').spanId).toBe(spanId ?? '');
  });
});

describe('without a receiver', () => {
  test('and without the variable no connection is made, and events carry no trace', async () => {
    const { OTEL_EXPORTER_OTLP_ENDPOINT: _, ...environment } = world.environment;
    const api = await startApi(environment);
    const before = traces.receiver.requests.length;
    const { key, wallet } = await ofWallet();
    const caller = newCaller();
    const { intentId, response } = await submit(api, key, wallet, { traceparent: caller.traceparent });
    expect(response.headers.get('traceparent')).toStartWith(`00-${caller.traceId}-`);
    const [event] = await world.sql<{ traceparent: string | null }[]>`
      select traceparent from events where subject = ${intentId} order by recorded_in, id limit 1`;
    expect(event).toEqual({ traceparent: null });
    const exposition = async (of: ObservedApi) =>
      (await fetch(`http://127.0.0.1:${of.metricsPort}/metrics`)).text();
    expect(await exposition(traced)).toContain('launchwire_trace_spans_total');
    expect(await exposition(api)).not.toContain('launchwire_trace_spans_total');
    expect((await api.child.stop()).code).toBe(0);
    const since = traces.receiver.requests.slice(before).map(({ body }) => body.toString());
    expect(since.join('\n')).not.toContain(caller.traceId);
  });

  test.each([
    ['refuses connections', async () => `http://127.0.0.1:${await freePort()}`],
    [
      'takes connections and says nothing',
      async () => `http://127.0.0.1:${(await startRawReceiver(() => {})).port}`,
    ],
  ])('the api answers as ever when the receiver %s, and stops in time', async (_name, endpoint) => {
    const api = await startApi({ ...world.environment, OTEL_EXPORTER_OTLP_ENDPOINT: await endpoint() });
    const { key, wallet } = await ofWallet();
    await submit(api, key, wallet, {});
    for (let count = 0; count < 50; count += 1) {
      expect((await fetch(`${api.baseUrl}/tokens`)).status).toBe(200);
    }
    expect((await api.child.stop()).code).toBe(0);
  });
});
