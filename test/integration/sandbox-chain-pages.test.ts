import { describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startChain } from '../../sandbox/chain/server.ts';
import type { RpcAnswer } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';

const chain = await startChain({ slotMs: 'manual', landingServices: [{ name: 'fast' }] });
atEnd(() => chain.stop());
const fast = chain.network.find('fast')?.rpcUrl ?? '';

/** What a browser sends for a page. Without a preflight the body is text. */
async function fromPage(
  url: string,
  headers: Record<string, string>,
  method: string,
  type = 'text/plain',
): Promise<RpcAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const { hostname, port, host } = new URL(url);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] });
  const lines = { host, 'content-type': type, 'content-length': String(body.length), ...headers };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  // No client lets a program choose `Host` and `Origin` as a page has them.
  const socket = connect({ host: hostname, port: Number(port) }, () => {
    socket.end(`POST / HTTP/1.1\r\n${head.join('')}connection: close\r\n\r\n${body}`);
  });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.on('end', () => resolve(answer));
  socket.on('error', reject);
  return JSON.parse((await promise).split('\r\n\r\n')[1] ?? '');
}

/** Every control, by the table of the chain itself. */
const controls = [
  'sandbox_setFaults',
  'sandbox_status',
  'sandbox_setLoad',
  'sandbox_setSlotMs',
  'sandbox_setRent',
  'sandbox_advanceSlots',
  'sandbox_expireBlockhash',
  'sandbox_fork',
];
const foreign: Record<string, string>[] = [
  { origin: 'https://example.org' },
  { origin: 'http://example.org:3000' },
  { origin: 'http://localhost.example.org' },
  { origin: 'http://127.0.0.1.example.org' },
  { origin: 'https://127.0.0.1@example.org' },
  { origin: 'http://192.168.1.5:3000' },
  { origin: 'http://[::ffff:203.0.113.9]' },
  { origin: 'null' },
  { origin: '' },
  // A name that its owner has pointed at 127.0.0.1.
  { host: 'rebound.example.org:8899' },
  { host: 'rebound.example.org', origin: 'http://rebound.example.org' },
  { host: 'rebound.example.org', origin: 'http://localhost:3000' },
  { host: '0.0.0.0:8899' },
];
const own: Record<string, string>[] = [
  {},
  { origin: 'http://localhost:3000' },
  { origin: 'http://127.0.0.1:4173' },
  { origin: 'http://[::1]:3000' },
  { origin: 'http://live.localhost:3000' },
  { host: 'localhost:8899' },
  { host: '[::1]:8899' },
];

describe('controls of the sandbox', () => {
  test.each(foreign)('answer no foreign page: %p', async (headers) => {
    const slot = chain.ledger.slot;
    for (const url of [chain.rpcUrl, fast])
      for (const method of controls) {
        const answer = await fromPage(url, headers, method);
        expect([method, answer.error?.code]).toEqual([method, -32600]);
        expect(answer.error?.message).toContain('of this machine');
      }
    expect(chain.ledger.slot).toBe(slot);
  });

  test.each(own)('answer programs and pages of this machine: %p', async (headers) => {
    for (const url of [chain.rpcUrl, fast])
      expect(await fromPage(url, headers, 'sandbox_status')).toMatchObject({
        result: { addresses: [{}, {}] },
      });
  });

  test('are all those that the chain has', async () => {
    const { sandboxMethods } = await import('../../sandbox/chain/methods/sandbox.ts');
    expect(Object.keys(sandboxMethods).sort()).toEqual([...controls].sort());
  });

  test('do not take a request of a foreign page past a fault', async () => {
    chain.setFaults({ rateLimit: { requests: 1, retryAfterSeconds: 1 } });
    const answer = await fromPage(chain.rpcUrl, { origin: 'https://example.org' }, 'sandbox_status');
    expect(answer.error?.code).toBe(429);
    chain.setFaults({});
  });
});

test('ordinary methods answer every page, as those of a node do', async () => {
  for (const headers of foreign)
    for (const type of ['text/plain', 'application/json'])
      expect(await fromPage(chain.rpcUrl, headers, 'getHealth', type)).toMatchObject({ result: 'ok' });
  const allowed = await fetch(chain.rpcUrl, { method: 'OPTIONS' });
  expect(allowed.headers.get('access-control-allow-origin')).toBe('*');
});
