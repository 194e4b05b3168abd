import { describe, expect, test } from 'bun:test';
import type { Socket } from 'node:net';
import { ConnectionPool } from '../../relay/attempt/connection-pool.ts';
import type { IdleLimits } from '../../relay/attempt/idle-connections.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { codeOf, post } from '../support/webhooks/webhook-sender.ts';

function createPool(limits: Partial<IdleLimits> = {}): ConnectionPool {
  const connections = new ConnectionPool(2, undefined, limits);
  atEnd(async () => connections.close());
  return connections;
}

const startReceivers = (count: number) => Promise.all(Array.from({ length: count }, () => startReceiver()));

test('redirects to ever new ports leave no connection behind', async () => {
  const connections = createPool();
  const targets = await startReceivers(10);
  const first = await startReceiver({
    respond: (response, _request, index) =>
      response.writeHead(307, { location: targets[index]?.origin ?? '' }).end(),
  });
  for (const _ of targets) expect(await codeOf(post(first.origin, { connections }, 'redirected'))).toBe(204);
  expect(targets.map(({ requests }) => requests.length)).toEqual(targets.map(() => 1));
  // The connection to the endpoint itself is kept, and was used each time.
  expect(connections.idle).toBe(1);
  expect(new Set(first.requests.map(({ clientPort }) => clientPort)).size).toBe(1);
  await eventually('the redirect targets to be left', async () =>
    targets.every((target) => target.connections() === 0),
  );
});

test('a name whose addresses change keeps no more connections than its endpoint may have attempts', async () => {
  const connections = createPool();
  const receivers = await startReceivers(6);
  for (const { port } of receivers)
    expect(await codeOf(post(`http://127.0.0.1:${port}/`, { connections }, 'moving'))).toBe(204);
  expect(connections.idle).toBe(2);
  await eventually('the older ones to be closed', async () =>
    receivers.map((receiver) => receiver.connections()).every((open, index) => open === (index < 4 ? 0 : 1)),
  );
});

test('idle connections of all endpoints together have a limit, the longest idle goes first', async () => {
  const connections = createPool({ total: 3 });
  const receivers = await startReceivers(5);
  for (const { origin } of receivers) expect(await codeOf(post(origin, { connections }))).toBe(204);
  expect(connections.idle).toBe(3);
  await eventually('the two oldest to be closed', async () =>
    receivers.map((receiver) => receiver.connections()).every((open, index) => open === (index < 2 ? 0 : 1)),
  );
});

test('an unused connection is closed, even while its endpoint is busy on another', async () => {
  const connections = createPool({ idleMs: 50, perEndpoint: 100 });
  const [quiet, busy] = await startReceivers(2);
  if (quiet === undefined || busy === undefined) throw new Error('no receivers');
  expect(await codeOf(post(quiet.origin, { connections }, 'both'))).toBe(204);
  await eventually('the quiet connection to be closed', async () => {
    expect(await codeOf(post(busy.origin, { connections }, 'both'))).toBe(204);
    return quiet.connections() === 0;
  });
});

describe('a connection is not used again', () => {
  const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const forged = 'HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n';
  const answers: Record<string, (socket: Socket) => void> = {
    'with bytes behind its response': (socket) => socket.write(response + forged),
    'on which something comes that nobody asked for': (socket) => {
      socket.write(response);
      // biome-ignore lint/plugin: it comes after the response; what comes with it is the case above
      setTimeout(() => socket.write(forged), 20);
    },
    'that its server has ended': (socket) => socket.end(response),
    'whose response says that it closes': (socket) =>
      socket.write(response.replace('\r\n', '\r\nConnection: Close\r\n')),
    'of HTTP/1.0': (socket) => socket.write(response.replace('HTTP/1.1', 'HTTP/1.0')),
    'whose response is longer than what is read': (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(100_000)}`),
  };
  test.each(Object.entries(answers))('%s', async (_what, answer) => {
    const connections = createPool();
    const receiver = await startRawReceiver(answer);
    const attempt = () => codeOf(post(`http://127.0.0.1:${receiver.port}/`, { connections }, 'one'));
    expect(await attempt()).toBe(200);
    await eventually('the connection to be left', async () => connections.idle === 0);
    expect(await attempt()).toBe(200);
    expect(receiver.connections).toBe(2);
  });
});
