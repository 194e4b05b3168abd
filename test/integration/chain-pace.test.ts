import { expect, test } from 'bun:test';
import { startChain } from '../../sandbox/chain/server.ts';
import { createChainHead, isFresh } from '../../src/chain/head.ts';
import { heightCeiling } from '../../src/chain/node-trust/chain-reach.ts';
import { observeNodes } from '../../src/chain/node-trust/node-metrics.ts';
import { chainReadiness } from '../../src/chain/readiness.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { isPastWindow } from '../../src/intents/blockhash-window.ts';
import { createLogger } from '../../src/shared/log.ts';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { callRpc } from '../support/chain/chain-client.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { startLyingNode } from '../support/trading/lying-node.ts';

// The head of a process over nodes of a sandbox chain, which share the clock of the test: minutes of the chain pass in a second.

const POLL_MS = 1_000;

async function stageOf(slotMs: number, nodeCount: number) {
  const clock = createTestClock();
  const chain = await startChain({ slotMs, nowMs: () => clock.now().getTime() });
  atEnd(() => chain.stop());
  clock.advance(120_000);
  const nodes = Array.from({ length: nodeCount }, () => startLyingNode(() => chain.rpcUrl));
  const rpcs = createChainRpcs(nodes.map(({ rpcUrl }) => rpcUrl));
  const head = createChainHead(rpcs, clock, createLogger('test', 'silent'), 1);
  const stopping = new AbortController();
  const ended = head.run(stopping.signal);
  atEnd(() => {
    stopping.abort();
    return ended;
  });
  const heightNow = async () => {
    const { result } = await callRpc(chain.rpcUrl, 'getEpochInfo', { commitment: 'confirmed' });
    return BigInt((result as { blockHeight: number }).blockHeight);
  };

  /** Lets the chain go on, poll by poll, and after each of them tries what a request would see. */
  async function run(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += POLL_MS) {
      const before = await heightNow();
      clock.advance(POLL_MS);
      const now = clock.now();
      await eventually('each node was asked', async () =>
        rpcs.every(({ positions }) => positions.wasAskedWithin(1, now)),
      );
      const current = head.current();
      expect(current !== null && isFresh(current, now)).toBe(true);
      expect(heightCeiling(rpcs, now)).toBeGreaterThanOrEqual(before);
      const window = { lastValidBlockHeight: before + 75n, createdAt: new Date(now.getTime() - 15_000) };
      expect(isPastWindow(window, { chainHead: head, clock })).toBe(false);
    }
  }

  return {
    clock,
    chain,
    nodes,
    rpcs,
    head,
    run,
    setSlotMs: (ms: number) => callRpc(chain.rpcUrl, 'sandbox_setSlotMs', ms),
    readiness: () => chainReadiness({ chainHead: head, rpcs, clock }, 'stale').check(),
  };
}

/** Samples of a node with this many slots in a minute. */
const samplesOf = (numSlots: number) => (method: string) =>
  method === 'getRecentPerformanceSamples'
    ? [{ slot: 1, numSlots, numTransactions: 0, numNonVoteTransactions: 0, samplePeriodSecs: 60 }]
    : null;

test('a lone node is believed through gates and a pause, and the measured pace follows the chain within a minute', async () => {
  const { run, setSlotMs, head, rpcs, clock, readiness } = await stageOf(400, 1);
  await run(15_000);
  for (const slotMs of [200, 160, 80, 800]) {
    await setSlotMs(slotMs);
    await run(62_000);
    const { slotMs: measuredMs, isMeasured } = head.pace();
    expect(isMeasured).toBe(true);
    expect(Math.abs(measuredMs / slotMs - 1)).toBeLessThan(0.1);
    expect(await readiness()).toEqual({ ready: true });
  }
  // Nobody asks the node for some minutes.
  clock.advance(300_000);
  await run(15_000);
  expect(rpcs[0]?.positions.ignored).toEqual({ too_fast: 0, ahead: 0, pace: 0 });
});

test.each([
  [100_000, 'faster than a slot every 66 ms (SOLANA_SLOT_MS_MIN)'],
  [1, 'slower than a slot every 800 ms (SOLANA_SLOT_MS_MAX)'],
])(
  'a node that samples %p slots in a minute moves nothing, and readiness and metrics name it',
  async (slots, explanation) => {
    const { run, head, rpcs, nodes, readiness } = await stageOf(160, 1);
    const [node] = nodes;
    const [rpc] = rpcs;
    if (node === undefined || rpc === undefined) throw new Error('no node');
    node.change = samplesOf(slots);
    await run(2_000);
    await eventually('its sample was read', async () => rpc.positions.ignored.pace > 0);
    expect(head.pace()).toMatchObject({ slotMs: 200, isMeasured: false });
    await run(20_000);
    expect(Math.abs(head.pace().slotMs / 160 - 1)).toBeLessThan(0.1);
    expect(await readiness()).toEqual({
      ready: true,
      detail: `node ${rpc.name} reports a pace that is ${explanation}`,
    });
    const metrics = createProcessMetrics('test');
    observeNodes(metrics, rpcs);
    expect(await metrics.read()).toContain(
      `launchwire_chain_positions_ignored_total{node="${rpc.name}",reason="pace"} 1`,
    );
  },
);

test('beside an honest node one that is far ahead stops nothing, is named, and is believed again once it is honest', async () => {
  const { run, nodes, rpcs, readiness } = await stageOf(160, 2);
  await run(15_000);
  const [liar] = nodes;
  if (liar === undefined) throw new Error('no node');
  liar.change = (method, result) =>
    method === 'getEpochInfo'
      ? { ...result, absoluteSlot: result.absoluteSlot + 1e9, blockHeight: result.blockHeight + 1e9 }
      : null;
  await run(30_000);
  expect(await readiness()).toEqual({
    ready: true,
    detail: `the height of node ${rpcs[0]?.name} is not believed: it is far ahead of the other nodes`,
  });
  liar.change = () => null;
  await run(2_000);
  expect(await readiness()).toEqual({ ready: true });
});
