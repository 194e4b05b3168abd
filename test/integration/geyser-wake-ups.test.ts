import { expect, test } from 'bun:test';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';
import Client, { type SubscribeRequest, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import bs58 from 'bs58';
import { pino } from 'pino';
import { BONDING_CURVE, DAMM_V1, DAMM_V2 } from '../../src/chain/accounts/programs.ts';
import { geyserStream } from '../../src/indexer/wake-ups/geyser-stream.ts';
import { type WakeUp, WakeUpSources } from '../../src/indexer/wake-ups/wake-up-sources.ts';
import { pacedSlot } from '../support/chain/nominal-pace.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const TOKEN = 'geyser-token-of-the-test';
const POOL = new Uint8Array(32).fill(1);
const OTHER_POOL = new Uint8Array(32).fill(2);

type Call = ServerDuplexStream<SubscribeRequest, SubscribeUpdate>;

/** A Geyser plugin as far as subscribing goes: a real gRPC server. */
async function startGeyser() {
  const calls: Call[] = [];
  const requests: SubscribeRequest[] = [];
  const server = new Server();
  const probe = new Client('http://127.0.0.1:1', undefined, undefined);
  const { service } = probe._client.constructor as unknown as {
    service: Parameters<Server['addService']>[0];
  };
  probe._client.close();
  server.addService(service, {
    subscribe(call: Call) {
      calls.push(call);
      call.on('data', (request: SubscribeRequest) => void requests.push(request));
      call.on('error', () => {});
    },
  });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  atEnd(async () => server.forceShutdown());
  return { url: `http://127.0.0.1:${port}`, calls, requests };
}

function listen(url: string, silenceMs = 60_000) {
  const stop = new AbortController();
  const woken: WakeUp[] = [];
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const times = { silenceMs, firstBackoffMs: 20, lastBackoffMs: 100, distrustMs: 50 };
  const sources = new WakeUpSources({
    streams: [geyserStream(url, TOKEN)],
    head: () => pacedSlot(1_000n),
    log,
    times,
  });
  const known = bs58.encode(POOL);
  sources.listen({ isKnown: (address) => address === known, onWakeUp: (wakeUp) => void woken.push(wakeUp) });
  const running = sources.run(stop.signal);
  atEnd(async () => {
    stop.abort();
    await running;
  });
  const [state] = sources.states;
  if (state === undefined) throw new Error('no stream');
  return { sources, state, woken, lines };
}

const empty = { filters: [], createdAt: undefined };
const slotUpdate = (slot: number): SubscribeUpdate => ({
  ...empty,
  slot: { slot: String(slot), status: 1 } as never,
});
const accountUpdate = (pubkey: Uint8Array, slot: number): SubscribeUpdate => ({
  ...empty,
  account: {
    slot: String(slot),
    isStartup: false,
    account: {
      pubkey,
      lamports: '1',
      owner: bs58.decode(BONDING_CURVE),
      executable: false,
      rentEpoch: '0',
      data: new Uint8Array([slot % 256]),
      writeVersion: '1',
    },
  },
});

test('a Geyser server is subscribed to for both programs, and its changes of known pools wake them', async () => {
  const geyser = await startGeyser();
  const { sources, state, woken, lines } = listen(geyser.url);
  await eventually('subscribed', async () => geyser.requests.length === 1);
  expect(geyser.requests[0]).toMatchObject({
    accounts: { pools: { owner: [BONDING_CURVE, DAMM_V2, DAMM_V1] } },
    commitment: 1,
  });
  expect(geyser.calls[0]?.metadata.get('x-token')).toEqual([TOKEN]);
  geyser.calls[0]?.write(slotUpdate(1_000));
  await eventually('up', async () => sources.isLive);
  geyser.calls[0]?.write(accountUpdate(OTHER_POOL, 1_001));
  geyser.calls[0]?.write(accountUpdate(POOL, 1_001));
  await eventually('woken', async () => woken.length > 0);
  expect(woken).toMatchObject([{ poolAddress: bs58.encode(POOL), slot: 1_001n }]);
  expect(state).toMatchObject({ source: 'geyser', wakeUps: 1 });
  geyser.calls[0]?.write({ ...empty, ping: {} });
  await eventually('ping', async () => geyser.requests.length === 2);
  expect(geyser.requests[1]).toMatchObject({ ping: { id: 1 } });
  expect(lines.join('')).not.toContain(TOKEN);
});

test('a stream that ends, falls silent or lies is left and opened again', async () => {
  const geyser = await startGeyser();
  const { sources, state, woken } = listen(geyser.url, 1_500);
  await eventually('first', async () => geyser.calls.length === 1);
  geyser.calls[0]?.end();
  await eventually('ended', async () => state.left.ended === 1);
  await eventually('silent', async () => state.left.silent >= 1);
  await eventually('again', async () => geyser.calls.length >= 3);
  // To the newest: on a slow machine the third one may have been left as silent too.
  await eventually('lying', async () => {
    geyser.calls.at(-1)?.write(accountUpdate(POOL, 5_000));
    return state.left.lying >= 1;
  });
  expect(woken).toEqual([]);
  expect(sources.isLive).toBe(false);
});

test('a server that does not exist is tried again, and the log does not show the token', async () => {
  const { state, lines } = listen('http://127.0.0.1:9');
  await eventually('ended', async () => state.left.ended >= 2);
  expect(lines.join('')).toContain('indexer.wake_ups_lost');
  expect(lines.join('')).not.toContain(TOKEN);
});
