import { beforeAll, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import {
  createRelayWorld,
  type DeliveryRow,
  type RelayWorld,
  type TestEndpoint,
} from '../support/webhooks/webhook-relay.ts';

/** More than an endpoint may have attempts in flight. */
const EVENTS = 16;
let world: RelayWorld;

beforeAll(async () => {
  world = await createRelayWorld({ WEBHOOK_RETRY_SCHEDULE: '1,1,1,1,1,1' });
  await world.startRelay({ attemptDeadlineMs: 2_000 });
});

/** Writes `text` repeatedly, as fast as the relay reads, until the relay closes the connection. */
function pour(socket: Socket, text: string): void {
  if (socket.destroyed) return;
  if (socket.write(text)) setImmediate(() => pour(socket, text));
  else socket.once('drain', () => pour(socket, text));
}

const OK = 'HTTP/1.1 200 OK\r\n';
/** Behaviours of subscribers, each with the result of an attempt. */
const misbehaviours: Record<string, [answer: (socket: Socket) => void, end: Partial<DeliveryRow>]> = {
  'says nothing': [() => {}, { lastErrorCode: 'request_timeout' }],
  'sends its head byte by byte': [
    (socket) => {
      socket.setNoDelay(true);
      socket.write(`${OK}x: `);
      // biome-ignore lint/plugin: the misbehaviour
      const timer = setInterval(() => socket.write('y'), 1);
      socket.once('close', () => clearInterval(timer));
    },
    { lastErrorCode: 'request_timeout' },
  ],
  'sends heads without end': [
    (socket) => pour(socket, `HTTP/1.1 103 x\r\nx: ${'y'.repeat(500)}\r\n\r\n`),
    { lastErrorCode: 'network_error' },
  ],
  'sends extensions of chunks without end': [
    (socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      pour(socket, `1;a=${'b'.repeat(10_000)}\r\nx\r\n`);
    },
    { status: 'succeeded', responseStatus: 200 },
  ],
  'sends a body without end': [
    (socket) => {
      socket.write(`${OK}\r\n`);
      pour(socket, 'x'.repeat(10_000));
    },
    { status: 'succeeded', responseStatus: 200 },
  ],
  'sends what is no response': [
    (socket) => pour(socket, 'SSH-2.0-OpenSSH_9.2\r\n'),
    { lastErrorCode: 'network_error' },
  ],
  'closes at once': [(socket) => socket.destroy(), { lastErrorCode: 'network_error' }],
};

test('subscribers that misbehave in every way at once block no delivery to another, and each of their attempts ends', async () => {
  const accountId = await world.createAccount();
  const healthy = await startReceiver();
  const good = await world.createEndpoint(healthy.origin, { accountId });
  const bad: [TestEndpoint, Partial<DeliveryRow>][] = [];
  for (const [answer, end] of Object.values(misbehaviours)) {
    const { port } = await startRawReceiver(answer);
    bad.push([await world.createEndpoint(`http://127.0.0.1:${port}/`, { accountId }), end]);
  }
  const ids = await Promise.all(Array.from({ length: EVENTS }, () => world.publish({ accountId })));
  await healthy.received(EVENTS);
  for (const id of ids) await world.deliveryOf(good.id, id, ({ status }) => status === 'succeeded');
  expect(new Set(healthy.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
  for (const [endpoint, end] of bad) {
    const [id = ''] = ids;
    const ended = await world.deliveryOf(
      endpoint.id,
      id,
      ({ attemptCount, status }) => attemptCount >= 1 && status !== 'processing',
    );
    // On a busy machine the deadline may come first; the rules of the parser have tests of their own.
    if (ended.lastErrorCode !== 'request_timeout') expect(ended).toMatchObject(end);
  }
});
