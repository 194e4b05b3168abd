import { beforeAll, describe, expect, test } from 'bun:test';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import { createFeatureSource, readFeatures } from '../../src/chain/feature-gates.ts';
import { readPosition } from '../../src/chain/node-trust/believed-position.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { createNonceGates, noticesNow, observeNonceGates } from '../../src/features/orders/nonce-gates.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { createLogger } from '../../src/shared/log.ts';
import { createProcessMetrics } from '../../src/shared/metrics/process-metrics.ts';
import { setFeature } from '../support/chain/feature-accounts.ts';
import { interceptNode } from '../support/chain/node-interceptor.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

let chain: SandboxChain;
/** Its node shows another state of every feature. */
let other: SandboxChain;

beforeAll(async () => {
  [chain, other] = await Promise.all([startChain({ slotMs: 'manual' }), startChain({ slotMs: 'manual' })]);
  atEnd(() => chain.stop());
  atEnd(() => other.stop());
});

async function stateAt(address: string, ...nodes: { rpcUrl: string }[]) {
  const rpcs = createChainRpcs(nodes.map(({ rpcUrl }) => rpcUrl));
  await Promise.all(rpcs.map((rpc) => readPosition(rpc, 2_000, systemClock)));
  return (await readFeatures({ rpcs, clock: systemClock }, [address])).get(address) ?? null;
}

describe('the state of a gate', () => {
  test('is what the only node shows', async () => {
    const [none, pending, done] = [newAddress(), newAddress(), newAddress()];
    setFeature(chain, pending, null);
    setFeature(chain, done, 7n);
    expect(await stateAt(none, chain)).toEqual({ state: 'absent', activeSince: null });
    expect(await stateAt(pending, chain)).toEqual({ state: 'scheduled', activeSince: null });
    expect(await stateAt(done, chain)).toEqual({ state: 'active', activeSince: 7n });
  });

  test('takes two nodes where there are two: one that lies alone, either way, decides nothing', async () => {
    const address = newAddress();
    const second = chain.addNode();
    expect(await stateAt(address, chain, second)).toEqual({ state: 'absent', activeSince: null });
    setFeature(other, address, null);
    expect(await stateAt(address, chain, other)).toBeNull();
    expect((await stateAt(address, other, chain, second))?.state).toBe('absent');
    setFeature(chain, address, 9n);
    expect(await stateAt(address, chain, other)).toBeNull();
    expect((await stateAt(address, other, chain, second))?.state).toBe('active');
  });

  test('is not known while no node responds', async () => {
    expect(await stateAt(newAddress(), { rpcUrl: 'http://127.0.0.1:1' })).toBeNull();
  });
});

test('orders and metrics follow each gate, and keep what was agreed while no node responds', async () => {
  const [priority, removal] = [newAddress(), newAddress()];
  const node = interceptNode(chain.rpcUrl);
  atEnd(() => node.stop());
  const nodes = { rpcs: createChainRpcs([node.rpcUrl]), clock: systemClock };
  const features = createFeatureSource(nodes, [priority, removal], createLogger('api', 'silent'), 10);
  const gates = createNonceGates(
    [
      { gate: 'priority', address: priority },
      { gate: 'removal', address: removal },
    ],
    features,
  );
  const shown = async () => {
    // Values are read for a scrape every five seconds at most.
    const metrics = createProcessMetrics('api');
    observeNonceGates(metrics, gates);
    return (await metrics.read())
      .split('\n')
      .filter((line) => line.startsWith('launchwire_nonce_gate_state{'));
  };
  expect([noticesNow(gates), await shown()]).toEqual([[], []]);

  const stop = new AbortController();
  const run = features.run(stop.signal);
  const notices = (...expected: string[]) =>
    eventually(`the notices are ${expected}`, async () => noticesNow(gates).join() === expected.join());
  await eventually('both states are known', async () => gates.states().every(({ state }) => state !== null));
  expect(noticesNow(gates)).toEqual([]);
  setFeature(chain, priority, null);
  await notices('nonce_priority_end_scheduled');
  setFeature(chain, priority, 12n);
  setFeature(chain, removal, null);
  await notices('nonce_priority_ended', 'nonce_removal_scheduled');
  setFeature(chain, removal, 13n);
  await notices('nonce_priority_ended', 'nonces_removed');
  expect(await shown()).toEqual([
    'launchwire_nonce_gate_state{gate="priority"} 2',
    'launchwire_nonce_gate_state{gate="removal"} 2',
  ]);

  node.answer = () => ({ code: -32_005, message: 'Node is unhealthy' });
  node.forget();
  await eventually('the node was asked in vain', async () => node.seen('getMultipleAccounts') > 1);
  expect(noticesNow(gates)).toEqual(['nonce_priority_ended', 'nonces_removed']);
  stop.abort();
  await run;
});
