import { beforeEach, expect, test } from 'bun:test';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { writeCurvePoolKeys } from '../../src/chain/pools/curve/pool-account.ts';
import { type ChainRpc, createChainRpcs } from '../../src/chain/rpc.ts';
import type { Database } from '../../src/db/client.ts';
import {
  advanceLaunches,
  type LaunchesContext,
  type LaunchTurn,
} from '../../src/features/launches/advance-launches.ts';
import { POOLS_MAX } from '../../src/features/launches/read-pools.ts';
import { listLaunchToken, settleLaunchToken } from '../../src/features/tokens/settle-launch.ts';
import type { Address } from '../../src/shared/address.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { nominalPace } from '../support/chain/nominal-pace.ts';
import { RecordedChain } from '../support/chain/recorded-rpc.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { insertLaunch } from '../support/launches/insert-launch.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { curvePoolAccount } from '../support/pools/pool-accounts-from-numbers.ts';
import { intentContext, openDatabase, silentLog } from '../support/processes/worker-context.ts';

const HEAD_SLOT = 1n;
const WINDOW_END = 100n;

let db: Database;
let chain: RecordedChain;
let context: LaunchesContext;
let accountId: string;
const pools = new Map<string, ChainAccount>();

beforeEach(async () => {
  db = await openDatabase();
  accountId = await insertAccount(db);
  chain = new RecordedChain();
  pools.clear();
  chain.setAccounts(pools);
  const rpcs = createChainRpcs([chain.startNode().url, chain.startNode().url]);
  const head = { slot: HEAD_SLOT, blockHeight: WINDOW_END + 1n, observedAt: new Date() };
  context = {
    ...intentContext(db, rpcs, systemClock).context,
    rpcs,
    chainHead: {
      current: () => head,
      identity: () => null,
      pace: () => nominalPace,
      run: () => Promise.resolve(),
    },
    log: silentLog,
    listLaunchToken,
    settleLaunchToken,
    onTokensChanged: () => {},
  };
});

/** A launch whose intent ended with this status, so long ago that its transaction can no longer land. */
async function launched(intentStatus: 'confirmed' | 'expired'): Promise<string> {
  const now = new Date();
  const facts = { transaction: Buffer.alloc(10), lastValidBlockHeight: WINDOW_END, expiresAt: now, now };
  const status = intentStatus === 'expired' ? 'prepared' : 'submitted';
  const intentId = await insertIntent(db, accountId, { ...facts, status });
  await db`
    update transaction_intents set status = ${intentStatus}, version = version + 1, completed_at = now()
    where id = ${intentId}`;
  return insertLaunch(db, { accountId, intentId });
}

/** The nodes show the pool of a launch, with this creator. */
async function showPool(id: string, { creator = newAddress() as Address } = {}): Promise<void> {
  const [launch] = await db<{ mintAddress: Address; configAddress: Address; poolAddress: string }[]>`
    select mint_address, config_address, pool_address from launches where id = ${id}`;
  if (launch === undefined) throw new Error(`no launch ${id}`);
  const account = curvePoolAccount({});
  const keys = { creator, config: launch.configAddress, baseMint: launch.mintAddress };
  writeCurvePoolKeys(account.data, keys);
  pools.set(launch.poolAddress, account);
}

async function statusOf(id: string): Promise<string | undefined> {
  const [launch] = await db<{ status: string }[]>`select status from launches where id = ${id}`;
  return launch?.status;
}

async function advanceAll(): Promise<void> {
  const turn: LaunchTurn = { afterId: null };
  while (await advanceLaunches(context, turn));
}

test.each(['confirmed', 'expired'] as const)(
  'a launch whose creator was transferred in the same block is bonding, although its intent is %s',
  async (intentStatus) => {
    const id = await launched(intentStatus);
    await showPool(id, { creator: newAddress() as Address });
    await advanceAll();
    expect(await statusOf(id)).toBe('bonding');
  },
);

test('a pool of another mint or config at the address is not the pool of the launch', async () => {
  const [one, other] = [await launched('expired'), await launched('expired')];
  await showPool(other);
  const [{ poolAddress } = { poolAddress: '' }] = await db<{ poolAddress: string }[]>`
    select pool_address from launches where id = ${one}`;
  for (const account of [...pools.values()]) pools.set(poolAddress, account);
  await advanceAll();
  expect([await statusOf(one), await statusOf(other)]).toEqual(['expired', 'bonding']);
});

test('a node that was found lying while the others were awaited ends no launch', async () => {
  const id = await launched('expired');
  const [liar, late] = context.rpcs;
  if (liar === undefined || late === undefined) throw new Error('the chain has two nodes');
  // Its own call has ended by then: the other node responds only afterwards.
  const asked = Promise.withResolvers<void>();
  const early: ChainRpc = {
    ...liar,
    async call(request, timeoutMs) {
      const outcome = await liar.call(request, timeoutMs);
      liar.quarantine.begin({ signedTransaction: new Uint8Array(1), signature: '' }, new Date());
      asked.resolve();
      return outcome;
    },
  };
  const slow: ChainRpc = {
    ...late,
    async call(request, timeoutMs) {
      await asked.promise;
      return late.call(request, timeoutMs);
    },
  };
  await advanceLaunches({ ...context, rpcs: [early, slow] }, { afterId: null });
  expect(await statusOf(id)).toBe('pending_launch_init');
});

test('launches whose end no node reports do not hold up later ones', async () => {
  // Confirmed, and no node shows the pool.
  const waiting: string[] = [];
  for (let at = 0; at < 2 * POOLS_MAX; at += 1) waiting.push(await launched('confirmed'));
  const last = await launched('confirmed');
  await showPool(last);
  await advanceAll();
  expect(await statusOf(last)).toBe('bonding');
  expect(await statusOf(waiting[0] ?? '')).toBe('pending_launch_init');
  // Their turn comes again.
  await showPool(waiting[0] ?? '');
  await advanceAll();
  expect(await statusOf(waiting[0] ?? '')).toBe('bonding');
});

test('a launch that cannot be ended loses only its own turn', async () => {
  const [broken, next] = [await launched('confirmed'), await launched('confirmed')];
  for (const id of [broken, next]) await showPool(id);
  const [{ mintAddress } = { mintAddress: '' }] = await db<{ mintAddress: string }[]>`
    select mint_address from launches where id = ${broken}`;
  context.settleLaunchToken = async (...settling) => {
    if (settling[3] === mintAddress) throw new Error('no token can be settled');
    return settleLaunchToken(...settling);
  };
  await advanceAll();
  expect([await statusOf(broken), await statusOf(next)]).toEqual(['pending_launch_init', 'bonding']);
});
