import { expect, test } from 'bun:test';
import { pino } from 'pino';
import type { ChainHeadSource } from '../../src/chain/head.ts';
import { observeNodes } from '../../src/chain/node-trust/node-metrics.ts';
import { chainReadiness } from '../../src/chain/readiness.ts';
import { isPastWindow } from '../../src/intents/blockhash-window.ts';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { NodeTrustStage } from '../support/intents/node-trust-stage.ts';
import { eventually } from '../support/run/eventually.ts';

const stage = await NodeTrustStage.create();

test('the chain head follows the confirmed node: no submission is refused as expired, and readiness names the other node', async () => {
  const rpcs = await stage.begin(2);
  stage.setBehaviour(0, { heightLie: 10n ** 9n });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const follow = async (head: ChainHeadSource) => {
    await eventually(
      'both have answered',
      async () => rpcs[0]?.positions.doubt === 'ahead' && head.current() !== null,
    );
    expect(head.current()?.blockHeight).toBe(stage.chain.height);
    const window = { lastValidBlockHeight: stage.chain.height, createdAt: stage.clock.now() };
    expect(isPastWindow(window, { chainHead: head, clock: stage.clock })).toBe(false);
    const { ready, detail } = await chainReadiness(
      { chainHead: head, rpcs, clock: stage.clock },
      'stale',
    ).check();
    expect({ ready, detail }).toEqual({
      ready: true,
      detail: `the height of node ${rpcs[0]?.name} is not believed: it is far ahead of the other nodes`,
    });
    const metrics = createProcessMetrics('test');
    observeNodes(metrics, rpcs);
    const exposition = await metrics.read();
    expect(exposition).toMatch(
      new RegExp(`launchwire_chain_positions_ignored_total{node="${rpcs[0]?.name}",reason="ahead"} [1-9]`),
    );
    expect(exposition).toContain(`launchwire_chain_node_quarantined{node="${rpcs[1]?.name}"} 0`);
    stage.setBehaviour(0, {});
    await eventually('it is believed again', async () =>
      lines.some(({ msg }) => msg === 'chain.position_believed'),
    );
  };
  await stage.withHead(rpcs, follow, log);
  const node = rpcs[0]?.name;
  expect(lines).toMatchObject([
    { node, msg: 'chain.position_ignored', reason: 'ahead' },
    { node, msg: 'chain.position_believed' },
  ]);
});

test('the first response of a single node is believed, and refuses no submission that it does not fit', async () => {
  const rpcs = await stage.begin(1);
  stage.setBehaviour(0, { heightLie: 10n ** 9n });
  await stage.withHead(rpcs, async (head) => {
    await eventually('it has answered', async () => head.current() !== null);
    const window = { lastValidBlockHeight: stage.chain.height, createdAt: stage.clock.now() };
    expect(isPastWindow(window, { chainHead: head, clock: stage.clock })).toBe(false);
  });
});

test('a quarantined node is probed without any new submission, and released when it responds correctly', async () => {
  const rpcs = await stage.begin(1);
  const [liar] = rpcs;
  if (liar === undefined) throw new Error('no node');
  stage.setBehaviour(0, { sends: 'another' });
  const { signature, lastValid } = await stage.insert('submitted');
  stage.chain.add(signature, lastValid, { landsAfterBlocks: 3, fails: false });
  await stage.turn(rpcs);
  stage.setBehaviour(0, {});
  await stage.withHead(rpcs, async (head) => {
    const { check } = chainReadiness({ chainHead: head, rpcs, clock: stage.clock }, 'stale');
    expect(await check()).toEqual({ ready: false, detail: `stale; node ${liar.name} is quarantined` });
    stage.clock.advance(30_000);
    await eventually('the node is released', async () => !liar.quarantine.isActive);
    await eventually('the head is back', async () => (await check()).ready);
  });
});
