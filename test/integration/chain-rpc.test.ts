import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { createChainHead } from '../../src/chain/head.ts';
import { getPosition } from '../../src/chain/rpc/position-calls.ts';
import { getSignatureStatuses, simulateTransaction } from '../../src/chain/rpc/transaction-calls.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let chain: SandboxChain;
let rpc: ChainRpc;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  rpc = createChainRpc(chain.rpcUrl);
});
beforeEach(() => chain.setFaults({}));

const failureOf = async (timeoutMs = 2_000) => {
  const outcome = await getPosition(rpc, timeoutMs);
  return outcome.ok ? 'none' : outcome.failure.kind;
};

test('slots and heights come as exact integers', async () => {
  const outcome = await getPosition(rpc, 2_000);
  expect(outcome).toEqual({ ok: true, value: { slot: expect.any(BigInt), blockHeight: expect.any(BigInt) } });
});

test('a request that certainly did not take effect is distinguished from one that may have', async () => {
  // A proxy that answers 429 or 503 may have passed the request on.
  chain.setFaults({ rateLimit: { requests: 1, retryAfterSeconds: 1 } });
  expect(await failureOf()).toBe('unknown');
  chain.setFaults({ down: 'unavailable' });
  expect(await failureOf()).toBe('unknown');
  chain.setFaults({ down: 'refuse' });
  expect(await failureOf()).toBe('unavailable');
  chain.setFaults({ latencyMs: 5_000 });
  expect(await failureOf(50)).toBe('unknown');
  chain.setFaults({});
  const refused = await getSignatureStatuses(rpc, ['not a signature'], {
    searchHistory: false,
    timeoutMs: 2_000,
  });
  expect(refused.ok ? 'none' : refused.failure.kind).toBe('refused');
});

test('a response without the requested value is refused', async () => {
  let result: unknown;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ jsonrpc: '2.0', id: 1, result }),
  });
  atEnd(() => server.stop(true));
  const node = createChainRpc(`http://127.0.0.1:${server.port}`);
  const status = { slot: 1, confirmations: null, err: null, confirmationStatus: 'finalized' };
  const context = { slot: 1 };
  const told = async (statuses: unknown) => {
    result = statuses;
    const outcome = await getSignatureStatuses(node, ['one', 'two'], {
      searchHistory: true,
      timeoutMs: 2_000,
    });
    return outcome.ok ? outcome.value.statuses : outcome.failure.kind;
  };
  const known = { commitment: 'finalized', slot: 1n, failure: null } as const;
  expect(await told({ context, value: [status, null] })).toEqual([known, null]);
  for (const value of [
    [],
    [null],
    [null, null, null],
    {},
    null,
    [{}, null],
    [{ ...status, err: undefined }, null],
  ])
    expect(await told({ context, value })).toBe('unknown');
  for (const slot of [null, '9', 1.5, -1, undefined])
    expect(await told({ context: { slot }, value: [null, null] })).toBe('unknown');
  // An unknown commitment settles nothing.
  const strange = { ...status, confirmationStatus: 'certain' };
  expect(await told({ context, value: [strange, null] })).toEqual([
    { ...known, commitment: 'processed' },
    null,
  ]);
  for (const blockHeight of [null, '9', 1.5, -1, undefined, {}]) {
    result = { absoluteSlot: 5, blockHeight };
    const outcome = await getPosition(node, 2_000);
    expect(outcome.ok ? outcome.value : outcome.failure.kind).toBe('unknown');
  }
});

test('a simulation is what the node says of the slot that it was asked for, or no outcome', async () => {
  let response: unknown;
  let asked: unknown;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      asked = await request.json();
      return new Response(typeof response === 'string' ? response : JSON.stringify(response));
    },
  });
  atEnd(() => server.stop(true));
  const node = createChainRpc(`http://127.0.0.1:${server.port}`);
  const told = async (one: unknown, minContextSlot = 7n) => {
    response = one;
    const outcome = await simulateTransaction(node, Uint8Array.of(1, 2, 3), 2_000, minContextSlot);
    return outcome.ok ? outcome.value : outcome.failure;
  };
  const answered = (value: unknown, slot: unknown = 7) => ({
    jsonrpc: '2.0',
    id: 1,
    result: { context: { slot }, value },
  });

  expect(await told(answered({ err: null, unitsConsumed: 61_234, logs: ['a log'] }))).toEqual({
    failure: null,
    unitsConsumed: 61_234,
  });
  const options = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: false,
  };
  expect(asked).toMatchObject({
    method: 'simulateTransaction',
    params: ['AQID', { ...options, minContextSlot: 7 }],
  });
  expect(await told(answered({ err: null }), 0n)).toEqual({ failure: null, unitsConsumed: 0 });
  expect(asked).toMatchObject({ params: ['AQID', options] });
  const err = { InstructionError: [3, { Custom: 6_004 }] };
  expect(await told(answered({ err, unitsConsumed: 1 }))).toEqual({
    failure: JSON.stringify(err),
    unitsConsumed: 1,
  });

  expect(await told(answered({ err: null }, 6))).toMatchObject({ kind: 'unknown', isBehind: true });
  for (const slot of [null, '9', 9.5, -1, 2 ** 60])
    expect(await told(answered({ err: null }, slot))).toMatchObject({ kind: 'unknown' });
  for (const value of [null, {}, undefined])
    expect(await told(answered(value))).toMatchObject({ kind: 'unknown' });
  for (const broken of ['', 'no JSON', 'null', '1', '{}', '{"result":null}'])
    expect(await told(broken)).toMatchObject({ kind: 'unknown' });
  const behind = { code: -32_016, message: 'behind', data: { contextSlot: 5 } };
  expect(await told({ jsonrpc: '2.0', id: 1, error: behind })).toMatchObject({
    kind: 'refused',
    isBehind: true,
  });
  expect(await told({ jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'wrong' } })).toMatchObject({
    kind: 'refused',
  });
  expect(await told({ jsonrpc: '2.0', id: 1, error: 'down' })).toMatchObject({ kind: 'unknown' });
});

test('the name of a node holds no credential of its URL', () => {
  const name = createChainRpc('https://user:secret@rpc.example.com:8899/key?api-key=secret').name;
  expect(name).toBe('rpc.example.com:8899');
});

test('the head follows the chain, knows its identity, and outvotes a lagging node', async () => {
  const stop = new AbortController();
  const lagging = chain.addNode({ lagSlots: 100 });
  atEnd(() => lagging.stop());
  const head = createChainHead([rpc, createChainRpc(lagging.rpcUrl)], systemClock, silentLog);
  expect(head.current()).toBeNull();
  expect(head.identity()).toBeNull();
  const running = head.run(stop.signal);
  const slotReached = (slot: bigint) => eventually('head', async () => (head.current()?.slot ?? 0n) >= slot);
  await slotReached(chain.ledger.slot - 1n);
  const identity = await eventually('identity', async () => head.identity());
  expect(identity).toEqual({ genesisHash: chain.ledger.genesisHash, cluster: 'localnet' });
  chain.advanceSlots(10);
  await slotReached(chain.ledger.slot - 1n);
  stop.abort();
  await running;
});
