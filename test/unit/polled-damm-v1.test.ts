import { expect, test } from 'bun:test';
import { BONDING_CURVE, CLOCK_SYSVAR, DAMM_V1 } from '../../src/chain/accounts/programs.ts';
import type { ChainRpc } from '../../src/chain/rpc.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { NodeSet } from '../../src/indexer/pool-history/node-set.ts';
import type { PolledPool } from '../../src/indexer/pool-history/polled-pool.ts';
import { type QuietSweepDependencies, runQuietSweep } from '../../src/indexer/pool-history/quiet-sweep.ts';
import { newPolledPool } from '../support/pools/new-polled-pool.ts';
import { addressOf } from '../support/pools/program-idl.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { fastTime } from '../support/run/fast-time.ts';

// A swap of DAMM v1 may leave the account of its pool as it was, so that its bytes prove nothing.

function pool(name: string, venue: 'dbc' | 'damm_v1' | 'unknown'): PolledPool {
  const tokenOf = { poolAddress: addressOf(name), mintAddress: addressOf('the token'), decimals: 6 };
  const reader = {
    isWalking: false,
    cursorSlot: null as bigint | null,
    step: async (atLeastSlot = 0n) => {
      reader.cursorSlot = atLeastSlot;
      return 'idle' as const;
    },
  };
  return newPolledPool(reader, {
    ...tokenOf,
    venue,
    isInspected: venue !== 'unknown',
    isMigrated: false,
    migration: null,
  });
}

test('a wake-up of a DAMM v1 pool, or of one that may be, is news although its bytes are unchanged', async () => {
  for (const [venue, isNews] of [
    ['dbc', false],
    ['damm_v1', true],
    ['unknown', true],
  ] as const) {
    const polled = pool(`a pool of ${venue}`, venue);
    expect(polled.observe(polled.stateAfter({ slot: 10n, hash: 'same' }), 0)).toBe('changed');
    await polled.step(1, () => 10_000);
    expect(polled.priority.isUrgent).toBe(false);
    expect(polled.observe(polled.stateAfter({ slot: 11n, hash: 'same' }), 20_000) === 'changed').toBe(isNews);
    expect(polled.priority.isUrgent).toBe(isNews);
  }
});

test('sweeps neither ask for a DAMM v1 pool nor call it quiet, by whatever name it is listed', async () => {
  const asked: string[][] = [];
  const owners: Record<string, string> = {
    [addressOf('a curve')]: BONDING_CURVE,
    [addressOf('not inspected yet')]: DAMM_V1,
    [addressOf('a DAMM v1 pool')]: DAMM_V1,
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { id, params } = (await request.json()) as { id: unknown; params: [string[]] };
      asked.push(params[0]);
      const value = params[0].map((address) => ({
        owner: owners[address] ?? 'Sysvar1111111111111111111111111111111111111',
        data: [Buffer.alloc(address === CLOCK_SYSVAR ? 40 : 900, 1).toString('base64'), 'base64'],
        lamports: 1,
        executable: false,
        rentEpoch: 0,
        space: 900,
      }));
      return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: 5 }, value } });
    },
  });
  atEnd(() => server.stop(true));
  const rpcs: ChainRpc[] = createChainRpcs([`http://127.0.0.1:${server.port}`]);
  const polled = [
    pool('a curve', 'dbc'),
    pool('not inspected yet', 'unknown'),
    pool('a DAMM v1 pool', 'damm_v1'),
  ];
  const seen: string[] = [];
  const stop = new AbortController();
  const dependencies = {
    nodes: new NodeSet(rpcs, silentLog),
    budget: { perSecond: 1_000 },
    wakeUps: { isLive: false },
    head: () => null,
    onQuietPoolsProven: () => {},
    pools: new Map(polled.map((one) => [one.pool.poolAddress, one])),
    queue: {
      observe: (one: PolledPool) => {
        seen.push(one.pool.poolAddress);
        return 'changed';
      },
    },
    log: silentLog,
    time: fastTime,
    signal: stop.signal,
  } as unknown as QuietSweepDependencies;
  const running = runQuietSweep(dependencies);
  await eventually('two sweeps', async () => asked.length >= 2);
  stop.abort();
  await running;
  expect(asked[0]).toEqual([CLOCK_SYSVAR, addressOf('a curve'), addressOf('not inspected yet')]);
  expect(new Set(seen)).toEqual(new Set([addressOf('a curve')]));
  expect(polled.map((one) => one.isCovered(fastTime.nowMs()))).toEqual([false, false, false]);
});
