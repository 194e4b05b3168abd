import { describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { ConnectionPool } from '../../relay/attempt/connection-pool.ts';
import { alternatingFamilies, openFirst } from '../../relay/attempt/happy-eyeballs.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import {
  selfSignedCertificate,
  testAuthority,
  trustedCertificate,
} from '../support/webhooks/webhook-certificates.ts';
import { startRawReceiver, startReceiver } from '../support/webhooks/webhook-receiver.ts';
import { codeOf, post } from '../support/webhooks/webhook-sender.ts';

const resolvingTo = (...addresses: string[]) => ({ resolve: async () => addresses });

function createPool(): ConnectionPool {
  const connections = new ConnectionPool(8, [testAuthority]);
  atEnd(async () => connections.close());
  return connections;
}

describe('of several addresses the first that can be reached gets the delivery', () => {
  test('though the one before takes no connection', async () => {
    const receiver = await startReceiver();
    await startDeadAddress('127.0.0.2', receiver.port);
    const sender = resolvingTo('127.0.0.2', '127.0.0.1');
    const { outcome, trace } = await post(`http://hook.example.test:${receiver.port}/`, sender);
    expect(outcome).toMatchObject({ kind: 'responded', status: 204 });
    expect(trace.resolvedAddress).toBe('127.0.0.1');
    expect(receiver.requests).toHaveLength(1);
  });

  test('though the one before never ends its handshake; the connection to it is closed', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    const silent = await startSilentAddress('127.0.0.2', receiver.port);
    const sender = resolvingTo('127.0.0.2', '127.0.0.1');
    const { outcome, trace } = await post(`https://hook.example.test:${receiver.port}/`, sender);
    expect(outcome).toMatchObject({ kind: 'responded', status: 204 });
    expect(trace).toMatchObject({ resolvedAddress: '127.0.0.1', connectionReused: false });
    expect(receiver.requests).toHaveLength(1);
    expect(silent.total()).toBe(1);
    await eventually('the other connection to be closed', async () => silent.open() === 0);
  });

  test('after many dead ones, with at most three open connections at a time', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    const hosts = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
    const silent = await Promise.all(hosts.map((host) => startSilentAddress(host, receiver.port)));
    const connections = createPool();
    const url = new URL(`https://hook.example.test:${receiver.port}/`);
    const destination = {
      ...({ allowed: true, url, hostname: 'hook.example.test', isAddress: false } as const),
      port: receiver.port,
      addresses: [],
    };
    const counts: number[] = [];
    let open = 0;
    const attempt = new AbortController();
    const { taken, phases } = await openFirst({
      addresses: [...hosts, '127.0.0.1'],
      open(address) {
        const begun = connections.open('endpoint', destination, address, true);
        open += 1;
        counts.push(open);
        begun.connection.onClose = () => {
          open -= 1;
        };
        return begun;
      },
      signal: attempt.signal,
      onPhases() {},
    });
    expect(phases.address).toBe('127.0.0.1');
    expect([counts, open]).toEqual([[1, 2, 3, 3, 3], 1]);
    expect(silent.map(({ total }) => total())).toEqual([1, 1, 1, 1]);
    // The end of the attempt leaves the connection to the next one.
    attempt.abort();
    await eventually('all others to be closed', async () => silent.every((address) => address.open() === 0));
    expect(open).toBe(1);
    taken.connection.destroy();
  });

  test('and the next delivery goes over the connection that it left, whatever the order of the addresses', async () => {
    const receiver = await startReceiver({ certificate: trustedCertificate });
    const silent = await startSilentAddress('127.0.0.2', receiver.port);
    const url = `https://hook.example.test:${receiver.port}/`;
    const sender = { ...resolvingTo('127.0.0.2', '127.0.0.1'), connections: createPool() };
    await post(url, sender, 'same');
    const { trace } = await post(url, sender, 'same');
    expect(trace).toMatchObject({ resolvedAddress: '127.0.0.1', connectionReused: true });
    expect(silent.total()).toBe(1);
  });
});

test('when no address can be reached the attempt ends at its deadline, and nothing stays open', async () => {
  const { port, close } = await startRawReceiver(() => {});
  await close();
  const silent = await Promise.all(['127.0.0.2', '127.0.0.3'].map((host) => startSilentAddress(host, port)));
  const sender = { ...resolvingTo('127.0.0.2', '127.0.0.3'), deadlineMs: 600 };
  const { outcome, trace } = await post(`https://hook.example.test:${port}/`, sender);
  expect(outcome).toMatchObject({ kind: 'failed', code: 'request_timeout' });
  expect(trace.resolvedAddress).toBe('127.0.0.2');
  await eventually('both to be closed', async () => silent.every(({ open }) => open() === 0));
});

test('an address whose certificate is refused is followed by the next, and is the cause when that is dead too', async () => {
  const good = await startReceiver({ certificate: trustedCertificate });
  const bad = await startReceiver({ certificate: selfSignedCertificate, port: good.port, host: '127.0.0.2' });
  const url = `https://hook.example.test:${good.port}/`;
  expect(await codeOf(post(url, resolvingTo('127.0.0.2', '127.0.0.1')))).toBe(204);
  expect(await codeOf(post(url, resolvingTo('127.0.0.2', '127.0.0.3')))).toBe('tls_error');
  expect(bad.requests).toHaveLength(0);
});

test('of no addresses none is waited for', async () => {
  const racing = openFirst({
    addresses: [],
    open: () => expect.unreachable(),
    signal: new AbortController().signal,
    onPhases: () => {},
  });
  await expect(racing).rejects.toThrow('no address');
});

test('one address that may not be dialled is reason enough to dial none', async () => {
  const receiver = await startReceiver();
  const sender = resolvingTo('127.0.0.1', '10.0.0.1');
  expect(await codeOf(post(`http://hook.example.test:${receiver.port}/`, sender))).toBe('url_disallowed');
  expect(receiver.connections()).toBe(0);
});

test('families take turns, in the order of the addresses otherwise', () => {
  expect(alternatingFamilies(['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1', '2001:db8::2'])).toEqual([
    '192.0.2.1',
    '2001:db8::1',
    '192.0.2.2',
    '2001:db8::2',
    '192.0.2.3',
  ]);
  expect(alternatingFamilies(['2001:db8::1', '192.0.2.1', '192.0.2.2'])).toEqual([
    '2001:db8::1',
    '192.0.2.1',
    '192.0.2.2',
  ]);
  expect(alternatingFamilies([])).toEqual([]);
});

/** A server on another address of loopback, 127.0.0.x. */
interface SilentAddress {
  /** The numbers of open connections and of all connections. */
  open(): number;
  total(): number;
}

/** Accepts connections but sends nothing, so that no TLS handshake ends. */
async function startSilentAddress(host: string, port: number): Promise<SilentAddress> {
  const sockets = new Set<Socket>();
  let total = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    total += 1;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(port, host);
  await once(server, 'listening');
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { open: () => sockets.size, total: () => total };
}

/** More connections than the queue of such a server holds. */
const QUEUED = 3;

/** Completes no TCP handshake, like a missing host. A stopped process with a full queue has the address. */
async function startDeadAddress(host: string, port: number): Promise<void> {
  const script = `require('node:net').createServer()
    .listen({ host: '${host}', port: ${port}, backlog: 1 }, () => console.log('listening'))`;
  const child = Bun.spawn(['node', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  await child.stdout.getReader().read();
  child.kill('SIGSTOP');
  for (let count = 0; count < QUEUED; count += 1) {
    const socket = connect({ host, port });
    socket.on('error', () => socket.destroy());
    atEnd(async () => void socket.destroy());
    // The last connection waits until the system gives up.
    if (count < QUEUED - 1) await once(socket, 'connect');
  }
}
