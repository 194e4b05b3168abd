import { expect, test } from 'bun:test';
import { BONDING_CURVE, CLOCK_SYSVAR } from '../../src/chain/accounts/programs.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { NodeSet } from '../../src/indexer/pool-history/node-set.ts';
import { type QuietSweepDependencies, runQuietSweep } from '../../src/indexer/pool-history/quiet-sweep.ts';
import { pacedSlot } from '../support/chain/nominal-pace.ts';
import { newPolledPool } from '../support/pools/new-polled-pool.ts';
import { addressOf } from '../support/pools/program-idl.ts';
import { silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';
import { fastTime } from '../support/run/fast-time.ts';

const SLOT = 5_000;
const SECONDS = 1_800_000_000;
const poolAddress = addressOf('a curve');
const clockData = (slot: number, byteCount = 40) => {
  const data = Buffer.alloc(Math.max(40, byteCount));
  data.writeBigUInt64LE(BigInt(slot), 0);
  data.writeBigInt64LE(BigInt(SECONDS), 32);
  return data.subarray(0, byteCount);
};

/** The time up to which sweeps prove a quiet pool, with this account in place of the chain's clock, and this believed head. */
async function proven(clock: Buffer | null, head: bigint | null = null): Promise<unknown[]> {
  let sweeps = 0;
  const account = (owner: string, data: Buffer) => ({
    owner,
    lamports: 1,
    executable: false,
    rentEpoch: 0,
    space: data.byteLength,
    data: [data.toString('base64'), 'base64'],
  });
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { id, params } = (await request.json()) as { id: unknown; params: [string[]] };
      sweeps += 1;
      const value = params[0].map((address) => {
        if (address !== CLOCK_SYSVAR) return account(BONDING_CURVE, Buffer.alloc(900));
        return clock && account('Sysvar1111111111111111111111111111111111111', clock);
      });
      return Response.json({ jsonrpc: '2.0', id, result: { context: { slot: SLOT }, value } });
    },
  });
  atEnd(() => server.stop(true));
  const pool = { poolAddress, mintAddress: addressOf('the token'), decimals: 6 };
  const facts = { venue: 'dbc', isInspected: true, isMigrated: false, migration: null } as const;
  const polled = newPolledPool(undefined, { ...pool, ...facts });
  const stop = new AbortController();
  const found: unknown[] = [];
  const running = runQuietSweep({
    nodes: new NodeSet(createChainRpcs([`http://127.0.0.1:${server.port}`]), silentLog),
    budget: { perSecond: 1_000 },
    wakeUps: { isLive: false },
    head: () => pacedSlot(head),
    onQuietPoolsProven: (proof: unknown) => found.push(proof),
    pools: new Map([[poolAddress, polled]]),
    queue: { observe: () => 'quiet' },
    log: silentLog,
    time: fastTime,
    signal: stop.signal,
  } as unknown as QuietSweepDependencies);
  await eventually('two sweeps', async () => sweeps >= 2);
  stop.abort();
  await running;
  return found.slice(0, 1);
}

test('quiet pools are proven to be read up to the time that the chain’s clock shows at that slot', async () => {
  const time = new Date(SECONDS * 1_000);
  expect(await proven(clockData(SLOT))).toEqual([{ poolAddresses: [poolAddress], slot: BigInt(SLOT), time }]);
});

test('nothing is proven by a slot that the chain cannot have reached', async () => {
  expect(await proven(clockData(SLOT), BigInt(SLOT))).toHaveLength(1);
  expect(await proven(clockData(SLOT), 1n)).toEqual([]);
});

test.each<[string, Buffer | null]>([
  ['of another slot', clockData(SLOT - 1)],
  ['too short to hold the time', clockData(SLOT, 39)],
  ['missing', null],
])('nothing is proven by a clock that is %s', async (_what, clock) => {
  expect(await proven(clock)).toEqual([]);
});
