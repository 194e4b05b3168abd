import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { getPosition, getSignatureStatuses } from '../../src/chain/calls.ts';
import { createChainHead } from '../../src/chain/head.ts';
import { type ChainRpc, createChainRpc } from '../../src/chain/rpc.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { atEnd } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/worker-context.ts';

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

test('what certainly was not carried out is told apart from what may have been', async () => {
  chain.setFaults({ rateLimit: { requests: 1, retryAfterSeconds: 1 } });
  expect(await failureOf()).toBe('unavailable');
  chain.setFaults({ down: 'unavailable' });
  expect(await failureOf()).toBe('unavailable');
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
  expect(head.identity()).toEqual({ genesisHash: chain.ledger.genesisHash, cluster: 'localnet' });
  chain.advanceSlots(10);
  await slotReached(chain.ledger.slot - 1n);
  stop.abort();
  await running;
});
