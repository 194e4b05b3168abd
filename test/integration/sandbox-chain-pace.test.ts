import { describe, expect, test } from 'bun:test';
import { Connection, Keypair } from '@solana/web3.js';
import { CLUSTER_SLOT_MS } from '../../sandbox/chain/cluster-facts.ts';
import { type ChainOptions, startChain } from '../../sandbox/chain/server.ts';
import { callRpc } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';

/** A whole minute. */
const START_MS = 1_799_999_940_000;

/** A ticking chain whose clock the test moves. */
async function stage(options: ChainOptions = {}, startMs = START_MS) {
  let nowMs = startMs;
  const chain = await startChain({ nowMs: () => nowMs, ...options });
  atEnd(() => chain.stop());
  const rpc = (method: string, ...params: unknown[]) => callRpc(chain.rpcUrl, method, ...params);
  return {
    chain,
    rpc,
    connection: new Connection(chain.rpcUrl, 'processed'),
    pass: (ms: number) => {
      nowMs += ms;
    },
    slotsIn: async (ms: number) => {
      const before = Number((await rpc('getSlot', { commitment: 'processed' })).result);
      nowMs += ms;
      return Number((await rpc('getSlot', { commitment: 'processed' })).result) - before;
    },
    samples: async () => {
      const { result } = await rpc('getRecentPerformanceSamples');
      if (!Array.isArray(result)) throw new Error('no samples');
      return result.map(({ numSlots, samplePeriodSecs }) => [numSlots, samplePeriodSecs]);
    },
  };
}

describe('the length of a slot', () => {
  test("is the cluster's unless another one is asked for, and so are the limits of a block", async () => {
    const usual = await stage();
    expect(await usual.slotsIn(60_000)).toBe(60_000 / CLUSTER_SLOT_MS);
    expect((await usual.rpc('sandbox_status')).result).toMatchObject({
      slotMs: 200,
      block: { computeUnits: 50_000_000, accountComputeUnits: 20_000_000 },
    });
    const slow = await stage({ slotMs: 400 });
    expect(await slow.slotsIn(60_000)).toBe(150);
    expect((await slow.rpc('sandbox_status')).result).toMatchObject({
      block: { computeUnits: 100_000_000, accountComputeUnits: 40_000_000 },
    });
  });

  test('changes while the chain runs, as at the gates of a cluster: times of the past stay', async () => {
    const { chain, rpc, slotsIn } = await stage({ slotMs: 400 });
    const first = chain.ledger.slot;
    expect(await slotsIn(40_000)).toBe(100);
    for (const [slotMs, computeUnits] of [
      [350, 87_500_000],
      [300, 75_000_000],
      [250, 62_500_000],
      [200, 50_000_000],
    ] as const) {
      const before = chain.ledger.slot;
      expect((await rpc('sandbox_setSlotMs', slotMs)).result).toBe(Number(before));
      expect(await slotsIn(21_000)).toBe(21_000 / slotMs);
      expect((await rpc('sandbox_status')).result).toMatchObject({ slotMs, block: { computeUnits } });
    }
    expect(chain.ledger.clock.unixMsOf(first + 100n)).toBe(START_MS + 40_000);
    expect(chain.ledger.clock.unixMsOf(chain.ledger.slot)).toBe(START_MS + 40_000 + 4 * 21_000);
  });

  test('moves the chain on without requests at the new pace', async () => {
    const chain = await startChain({ slotMs: 60_000 });
    atEnd(() => chain.stop());
    const { promise: entered, resolve } = Promise.withResolvers<void>();
    chain.ledger.listeners.add({ changed: () => {}, forked: () => {}, slotEntered: () => resolve() });
    await callRpc(chain.rpcUrl, 'sandbox_setSlotMs', 1);
    await entered;
  });

  test('is counted for the slots of a manual chain too', async () => {
    const { chain, rpc } = await stage({ slotMs: 'manual' });
    chain.advanceSlots(10);
    await rpc('sandbox_setSlotMs', 400);
    chain.advanceSlots(10);
    expect(chain.ledger.clock.unixMsOf(chain.ledger.slot)).toBe(START_MS + 10 * 200 + 10 * 400);
  });

  test.each([0, -1, 1.5, '200', null, 60_001])('is not %p', async (slotMs) => {
    const { rpc } = await stage({ slotMs: 'manual' });
    expect((await rpc('sandbox_setSlotMs', slotMs)).error?.code).toBe(-32602);
  });
});

describe('samples of performance', () => {
  test('report the pace that each minute had, the newest first', async () => {
    const { rpc, pass, samples } = await stage({ slotMs: 400 });
    pass(120_000);
    await rpc('sandbox_setSlotMs', 200);
    pass(90_000);
    await rpc('sandbox_setSlotMs', 250);
    pass(90_500);
    await rpc('getSlot');
    expect(await samples()).toEqual([
      [240, 60],
      [270, 60],
      [300, 60],
      [150, 60],
      [150, 60],
    ]);
  });

  test('of a chain that is younger than a minute are shorter', async () => {
    const { rpc, pass, samples } = await stage({}, START_MS + 45_300);
    expect(await samples()).toEqual([]);
    pass(5_000);
    await rpc('getSlot');
    expect(await samples()).toEqual([[20, 4]]);
    pass(70_000);
    await rpc('getSlot');
    expect(await samples()).toEqual([
      [300, 60],
      [70, 14],
    ]);
  });

  test('have the fields of Agave, count transactions, and end at the limit of the request', async () => {
    const { rpc, connection, pass } = await stage();
    pass(30_000);
    await connection.requestAirdrop(Keypair.generate().publicKey, 1_000_000_000);
    pass(3_600_000);
    const [newest, second] = (await rpc('getRecentPerformanceSamples', 2)).result as unknown[];
    expect(newest).toEqual({
      slot: 2_000 + 60 * 300,
      numSlots: 300,
      numTransactions: 0,
      numNonVoteTransactions: 0,
      samplePeriodSecs: 60,
    });
    expect(second).toMatchObject({ slot: 2_000 + 59 * 300 });
    const all = (await rpc('getRecentPerformanceSamples')).result as { numTransactions: number }[];
    expect(all).toHaveLength(60);
    expect(all.at(-1)?.numTransactions).toBe(1);
    expect((await rpc('getRecentPerformanceSamples', 721)).error?.message).toBe('Invalid limit; max 720');
  });
});

test('a restart goes on at the pace of its option, and with the times of before', async () => {
  const dataDir = createTempDir('chain-pace');
  let nowMs = START_MS;
  const first = await startChain({ slotMs: 400, dataDir, nowMs: () => nowMs });
  nowMs += 60_000;
  await first.stop();
  const second = await startChain({ dataDir, nowMs: () => nowMs });
  atEnd(() => second.stop());
  expect(second.ledger.slotMs).toBe(200);
  expect(second.ledger.clock.unixMsOf(2_010n)).toBe(START_MS + 4_000);
});
