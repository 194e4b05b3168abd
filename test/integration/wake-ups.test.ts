import { expect, test } from 'bun:test';
import bs58 from 'bs58';
import { pino } from 'pino';
import { startChain } from '../../sandbox/chain/server.ts';
import { BONDING_CURVE, DAMM_V1, DAMM_V2 } from '../../src/chain/accounts/programs.ts';
import type { StreamTimes } from '../../src/chain/streams/keep-connected.ts';
import { socketStream } from '../../src/indexer/wake-ups/socket-stream.ts';
import { type WakeUp, WakeUpSources } from '../../src/indexer/wake-ups/wake-up-sources.ts';
import { pacedSlot } from '../support/chain/nominal-pace.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

const FAST: StreamTimes = { silenceMs: 1_000, firstBackoffMs: 20, lastBackoffMs: 100, distrustMs: 50 };
/** A machine that stands still for a second is no silent node. */
const PATIENT: StreamTimes = { ...FAST, silenceMs: 10_000 };
const POOL = bs58.encode(new Uint8Array(32).fill(1));
const OTHER_POOL = bs58.encode(new Uint8Array(32).fill(2));
const DAMM_POOL = bs58.encode(new Uint8Array(32).fill(3));
const DAMM_V1_POOL = bs58.encode(new Uint8Array(32).fill(4));

function listen(
  urls: readonly string[],
  { head = () => null, times = PATIENT }: { head?: () => bigint | null; times?: StreamTimes } = {},
) {
  const stop = new AbortController();
  const woken: WakeUp[] = [];
  const logged: { msg: string; reason?: string; message?: string }[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const sources = new WakeUpSources({
    streams: urls.map(socketStream),
    head: () => pacedSlot(head()),
    log,
    times,
  });
  sources.listen({
    isKnown: (address) => address !== OTHER_POOL,
    onWakeUp: (wakeUp) => void woken.push(wakeUp),
  });
  const running = sources.run(stop.signal);
  atEnd(async () => {
    stop.abort();
    await running;
  });
  const [state] = sources.states;
  if (state === undefined) throw new Error('no stream');
  return { sources, woken, logged, state };
}

async function startNode(slotMs: number | 'manual' = 50) {
  const chain = await startChain({ slotMs });
  atEnd(() => chain.stop());
  return chain;
}

/** Changes the pool's account as a trade does, for its watchers. */
function poolAccount(discriminator: string, owner: string, price: number) {
  const data = new Uint8Array(1_200).fill(price, 300, 308);
  data.set(Buffer.from(discriminator, 'hex'));
  return { owner, data, lamports: 1n, executable: false, rentEpoch: 0n };
}
const curvePool = (price: number) => poolAccount('d5e005d16245775c', BONDING_CURVE, price);
const dammPool = (price: number) => poolAccount('f19a6d0411b16dbc', DAMM_V2, price);

test('changes of known pools of all programs arrive with slot and bytes; those of others do not', async () => {
  const { ledger, socketUrl } = await startNode();
  const { sources, woken, state } = listen([socketUrl]);
  await eventually('up', async () => sources.isLive);
  ledger.setAccount(OTHER_POOL, curvePool(1));
  ledger.setAccount(POOL, curvePool(1));
  await eventually('curve', async () => woken.length === 1);
  ledger.setAccount(DAMM_POOL, dammPool(1));
  await eventually('damm', async () => woken.length === 2);
  ledger.setAccount(POOL, curvePool(2));
  await eventually('again', async () => woken.length === 3);
  ledger.setAccount(DAMM_V1_POOL, { ...dammPool(1), owner: DAMM_V1 });
  await eventually('damm v1', async () => woken.length === 4);
  expect(woken.map(({ poolAddress }) => poolAddress)).toEqual([POOL, DAMM_POOL, POOL, DAMM_V1_POOL]);
  expect(woken[0]?.hash).not.toBe(woken[2]?.hash ?? '');
  expect(woken.every(({ slot }, at) => slot >= (woken[at - 1]?.slot ?? 0n))).toBe(true);
  expect(state).toMatchObject({ isUp: true, wakeUps: 4 });
});

test('a socket that acknowledges and stays silent is abandoned, and used again when it sends', async () => {
  const chain = await startNode();
  chain.setFaults({ silentSockets: true });
  const { sources, state } = listen([chain.socketUrl], { times: FAST });
  await eventually('left', async () => state.left.silent >= 2);
  expect(sources.isLive).toBe(false);
  chain.setFaults({});
  await eventually('up', async () => sources.isLive);
});

test('a lagging node is abandoned while another goes on', async () => {
  const chain = await startNode();
  const lagging = chain.addNode({ lagSlots: 60 });
  const { sources, state } = listen([lagging.socketUrl, chain.socketUrl], {
    head: () => chain.ledger.slot - 1n,
    times: FAST,
  });
  await eventually('left', async () => state.left.lagging >= 1);
  expect(sources.isLive).toBe(true);
});

test('a node whose slots are far ahead of the believed head wakes nobody', async () => {
  const chain = await startNode();
  const { woken, state, logged } = listen([chain.socketUrl], { head: () => chain.ledger.slot - 200n });
  await eventually('left', async () => state.left.lying >= 2);
  chain.ledger.setAccount(POOL, curvePool(1));
  await eventually('left again', async () => state.left.lying >= 4);
  expect(woken).toEqual([]);
  expect(logged.find(({ msg }) => msg === 'indexer.wake_ups_lost')).toMatchObject({ reason: 'lying' });
});

test('a node that is gone is tried again, and no change of the time between is made up', async () => {
  const chain = await startNode();
  const { sources, woken, state } = listen([chain.socketUrl]);
  await eventually('up', async () => sources.isLive);
  chain.setFaults({ down: 'refuse' });
  await eventually('down', async () => !sources.isLive && state.left.ended >= 2);
  chain.ledger.setAccount(POOL, curvePool(1));
  const changedAt = chain.ledger.slot;
  await eventually('the change is confirmed', async () => chain.ledger.slot > changedAt + 1n);
  chain.setFaults({});
  await eventually('up again', async () => sources.isLive);
  chain.ledger.setAccount(POOL, curvePool(2));
  await eventually('woken', async () => woken.length >= 1);
  expect(woken).toHaveLength(1);
});

const nonsense: [what: string, message: string][] = [
  ['no JSON', '{'],
  ['a slot that is no number', '{"method":"slotNotification","params":{"result":{"slot":"1"}}}'],
  ['a negative slot', '{"method":"slotNotification","params":{"result":{"slot":-1}}}'],
  ['a refusal', '{"id":1,"error":{"message":"Method not found"}}'],
  [
    'an account without bytes',
    '{"method":"programNotification","params":{"result":{"context":{"slot":1},"value":{"pubkey":"x"}}}}',
  ],
  ['more than a notification can have', 'x'.repeat(70_000)],
];
test.each(nonsense)('a node that sends %s loses its stream', async (_what, message) => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: { open: (socket) => void socket.send(message), message() {} },
  });
  atEnd(() => server.stop(true));
  const { state, woken } = listen([`ws://127.0.0.1:${server.port}`]);
  await eventually('left', async () => state.left.ended >= 2);
  expect(woken).toEqual([]);
});
