import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { Keypair } from '@solana/web3.js';
import { type SandboxChain, startChain } from '../../sandbox/chain/server.ts';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { migratedPoolAddresses } from '../../src/chain/accounts/derived-addresses.ts';
import { SupplyCompositionSchema } from '../../src/features/market/schema.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { expectProblem } from '../support/api/problems.ts';
import {
  dammPoolAccount,
  dammPositionAccount,
  type PoolFixture,
  readPoolFixture,
  readPoolFixtures,
  tokenAccount,
  u64,
  withBytes,
} from '../support/pools/pool-accounts.ts';
import { atEnd } from '../support/run/cleanup.ts';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const SYSTEM_PROGRAM = '11111111111111111111111111111111';
const MIGRATION_PROGRESS = 308;
const FINISH_CURVE_TIMESTAMP = 344;
const foreign: ChainAccount = { owner: SYSTEM_PROGRAM, data: Buffer.alloc(0) };

interface Composition {
  available: boolean;
  unavailableReason: string | null;
  slot: number;
  totalSupply: string | null;
  lifecycle: string | null;
  reads: string | null;
  unreadBuckets: string[];
  buckets: { key: string; amount: string; percentage: number; addresses: string[] }[];
  authorities: unknown;
  lpLock: unknown;
}

let chain: SandboxChain;
let api: TestApi;

beforeAll(async () => {
  chain = await startChain({ slotMs: 'manual' });
  atEnd(() => chain.stop());
  const down = chain.addNode({ down: 'unavailable' });
  // The first node always fails: every answer below comes from the second.
  api = await startTestApi({ environment: { SOLANA_RPC_URL: `${down.rpcUrl},${chain.rpcUrl}` } });
  for (const fixture of readPoolFixtures()) await addToken(fixture.known.baseMint, fixture.known.pool);
});

beforeEach(() => {
  chain.setFaults({});
  for (const { accounts } of readPoolFixtures()) stage(accounts);
});

async function addToken(mint: string, poolAddress: string | null, hidden = false): Promise<void> {
  const now = new Date();
  await api.dependencies.database`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      pool_address, hidden, created_at, updated_at)
    values (${mint}, ${mint}, 'Example', 'EX', 6, 1000000000, 'dbc', 'bonding', ${poolAddress}, ${hidden}, ${now},
      ${now})`;
}

/** Puts accounts on the chain and lets them be confirmed. */
function stage(accounts: Iterable<readonly [string, ChainAccount]>): void {
  for (const [address, { owner, data }] of accounts) {
    chain.ledger.setAccount(address, {
      lamports: 10_000_000n,
      owner,
      data,
      executable: false,
      rentEpoch: 0n,
    });
  }
  chain.advanceSlots(1);
  api.dependencies.chainReadCaches.supply.clear();
}

const request = (mint: string) => fetch(`${api.baseUrl}/tokens/${mint}/supply-composition`);

async function read(mint: string): Promise<Composition> {
  const response = await request(mint);
  expect(response.status).toBe(200);
  const body = await response.json();
  expect(Value.Check(SupplyCompositionSchema, body)).toBe(true);
  return body as Composition;
}

const amountsOf = ({ buckets }: Composition) =>
  Object.fromEntries(buckets.map(({ key, amount }) => [key, amount]));

describe('the composition of a recorded pool', () => {
  test.each(readPoolFixtures())(
    '$name is answered exactly, from the slot it was read in',
    async (fixture) => {
      const body = await read(fixture.known.baseMint);
      expect(amountsOf(body)).toEqual(fixture.expected.buckets);
      expect(body).toMatchObject({
        available: true,
        unavailableReason: null,
        slot: Number(chain.ledger.slot - 1n),
        totalSupply: fixture.expected.totalSupply,
        lifecycle: fixture.expected.lifecycle,
        reads: 'complete',
        unreadBuckets: [],
        authorities: {
          mintAuthority: null,
          freezeAuthority: null,
          tokenProgram: 'spl_token',
          extensions: [],
        },
        lpLock: null,
      });
      for (const { key, addresses } of body.buckets) {
        expect(addresses).toEqual(key === 'free_float' ? [] : [fixture.known.baseVault]);
      }
    },
  );

  test('is not sent again to a client that has it', async () => {
    const { known } = readPoolFixture('a');
    const etag = (await request(known.baseMint)).headers.get('etag') ?? '';
    const again = await fetch(`${api.baseUrl}/tokens/${known.baseMint}/supply-composition`, {
      headers: { 'if-none-match': etag },
    });
    expect(again.status).toBe(304);
  });

  test('asked for by 100 callers at once is read once', async () => {
    const { baseMint } = readPoolFixture('a').known;
    const bodies = await Promise.all(
      Array.from({ length: 100 }, () => request(baseMint).then((r) => r.text())),
    );
    expect(new Set(bodies).size).toBe(1);
  });
});

const inVault = ['curve_unsold', 'curve_leftover', 'migration_reserve', 'vesting_escrows'];
const failures = [
  { account: 'baseMint', unread: inVault },
  {
    account: 'pool',
    unread: [
      'curve_unsold',
      'curve_leftover',
      'migration_reserve',
      'pool_reserve',
      'vesting_escrows',
      'fee_vault',
    ],
  },
  { account: 'config', unread: inVault },
  { account: 'baseVault', unread: inVault },
] as const;

describe('a failed read', () => {
  test.each(failures)(
    'of $account leaves out exactly the buckets it touches',
    async ({ account, unread }) => {
      const { known } = readPoolFixture('j');
      await read(known.baseMint);
      stage([[known[account], foreign]]);
      const body = await read(known.baseMint);
      expect(body).toMatchObject({
        available: true,
        reads: 'partial',
        unreadBuckets: [...unread],
        buckets: [],
      });
      expect(body.lifecycle).toBe(account === 'pool' ? null : 'bonding');
      expect(body.totalSupply === null).toBe(account === 'baseMint');
      expect(body.authorities === null).toBe(account === 'baseMint');
    },
  );

  test('keeps the buckets that were read, and no free float', async () => {
    const { known, accounts } = readPoolFixture('j');
    const fees = { 248: u64(5n), 264: u64(6n), 352: u64(7n), 384: u64(8n) };
    stage([
      [known.pool, withBytes(accounts.get(known.pool), fees)],
      [known.config, foreign],
    ]);
    const body = await read(known.baseMint);
    expect(amountsOf(body)).toEqual({ fee_vault: '26' });
    expect(body.unreadBuckets).toEqual(inVault);
  });

  test('of an account that does not exist counts like any other', async () => {
    const { known, accounts } = readPoolFixture('a');
    const mint = Keypair.generate().publicKey.toBase58();
    const pool = Keypair.generate().publicKey.toBase58();
    await addToken(mint, pool);
    const mintAccount = accounts.get(known.baseMint);
    if (mintAccount === undefined) throw new Error('no mint');
    stage([[mint, mintAccount]]);
    const body = await read(mint);
    expect(body).toMatchObject({ reads: 'partial', lifecycle: null, buckets: [] });
    expect(body.unreadBuckets).toHaveLength(6);
  });
});

/** Fixture j at a later stage: what lay in the base vault has moved where the program moves it. */
async function migrate(fixture: PoolFixture, progress: number, vault: bigint) {
  const { known, accounts } = fixture;
  const amm = await migratedPoolAddresses(known.baseMint, WRAPPED_SOL, feeOptionOf(fixture));
  const escrowToken = known.lockerEscrowToken;
  if (amm === null || escrowToken === undefined) throw new Error('no addresses');
  const finished = u64(BigInt(Math.floor(Date.now() / 1_000)));
  stage([
    [
      known.pool,
      withBytes(accounts.get(known.pool), {
        [MIGRATION_PROGRESS]: Uint8Array.of(progress),
        [FINISH_CURVE_TIMESTAMP]: finished,
      }),
    ],
    [known.baseVault, withBytes(accounts.get(known.baseVault), { 64: u64(vault) })],
    [escrowToken, tokenAccount(known.baseMint, known.pool, 90_000_000_000_000n)],
  ]);
  return { ...amm, escrowToken, mint: known.baseMint };
}

function feeOptionOf({ accounts, known }: PoolFixture): number {
  return accounts.get(known.config)?.data[243] ?? -1;
}

describe('after the curve', () => {
  test('what waits for the locker lies in the vault, and nothing is for sale', async () => {
    const { known, expected } = readPoolFixture('j');
    await migrate(readPoolFixture('j'), 1, 300_000_000_000_000n);
    const body = await read(known.baseMint);
    expect(body).toMatchObject({ lifecycle: 'migrating', reads: 'complete' });
    expect(amountsOf(body)).toEqual({
      curve_leftover: (300_000_000_000_000n - 153_582_219_255_314n - 120_000_000_000_000n).toString(),
      migration_reserve: expected.buckets.migration_reserve ?? '',
      vesting_escrows: '120000000000000',
      free_float: '700000000000000',
    });
  });

  test('locked vesting is what the escrow holds; an escrow that cannot be read is named', async () => {
    const fixture = readPoolFixture('j');
    const { mint, escrowToken } = await migrate(fixture, 2, 153_582_219_255_314n);
    const body = await read(mint);
    expect(amountsOf(body)).toEqual({
      migration_reserve: '153582219255314',
      vesting_escrows: '90000000000000',
      free_float: (1_000_000_000_000_000n - 153_582_219_255_314n - 90_000_000_000_000n).toString(),
    });
    expect(body.buckets.find(({ key }) => key === 'vesting_escrows')?.addresses).toEqual([escrowToken]);
    stage([[escrowToken, foreign]]);
    expect(await read(mint)).toMatchObject({ reads: 'partial', unreadBuckets: ['vesting_escrows'] });
  });

  test('the AMM holds the reserve and its own fee, and its lock is read from its pool and positions', async () => {
    const { mint, pool, baseVault } = await migrate(readPoolFixture('j'), 3, 1_000n);
    const state = {
      baseMint: mint,
      quoteMint: WRAPPED_SOL,
      baseVault,
      protocolFeeRaw: 40n,
      liquidity: 4n * 2n ** 90n,
      permanentlyLockedLiquidity: 3n * 2n ** 90n - 1n,
      positionCount: 2n,
    };
    const position = Keypair.generate().publicKey.toBase58();
    stage([
      [pool, dammPoolAccount(state)],
      [baseVault, tokenAccount(mint, pool, 150_000_000_000_040n)],
      [position, dammPositionAccount(pool, 0n, 2n ** 90n + 1n, 0n)],
    ]);
    const body = await read(mint);
    expect(body).toMatchObject({ lifecycle: 'graduated', reads: 'complete', unreadBuckets: [] });
    expect(amountsOf(body)).toEqual({
      curve_leftover: '1000',
      pool_reserve: '150000000000000',
      vesting_escrows: '90000000000000',
      fee_vault: '40',
      free_float: (1_000_000_000_000_000n - 1_000n - 150_000_000_000_040n - 90_000_000_000_000n).toString(),
    });
    const lock = {
      poolAddress: pool,
      positionCount: 2,
      permanentlyLockedBps: 7_499,
      hasUnlockedLiquidity: false,
      isFullyPermanentlyLocked: false,
    };
    expect(body.lpLock).toEqual(lock);

    stage([[position, dammPositionAccount(pool, 1n, 2n ** 90n, 0n)]]);
    expect((await read(mint)).lpLock).toEqual({ ...lock, hasUnlockedLiquidity: true });

    stage([[pool, dammPoolAccount({ ...state, permanentlyLockedLiquidity: state.liquidity })]]);
    const locked = {
      permanentlyLockedBps: 10_000,
      hasUnlockedLiquidity: false,
      isFullyPermanentlyLocked: true,
    };
    expect((await read(mint)).lpLock).toEqual({ ...lock, ...locked });

    stage([[baseVault, foreign]]);
    expect((await read(mint)).unreadBuckets).toEqual(['pool_reserve', 'fee_vault']);
  });

  test('a pool whose AMM cannot be read has the lock that ingest told', async () => {
    const { mint, pool } = await migrate(readPoolFixture('j'), 3, 1_000n);
    stage([[pool, foreign]]);
    expect((await read(mint)).lpLock).toBeNull();
    await api.dependencies.database`
      insert into liquidity_locks (mint_address, pool_address, position_count, permanently_locked_bps, slot, as_of)
      values (${mint}, ${pool}, 3, 9999, 1, ${new Date()})`;
    api.dependencies.chainReadCaches.supply.clear();
    const body = await read(mint);
    expect(body.lpLock).toEqual({
      poolAddress: pool,
      positionCount: 3,
      permanentlyLockedBps: 9_999,
      hasUnlockedLiquidity: true,
      isFullyPermanentlyLocked: false,
    });
    expect(body.unreadBuckets).toEqual(['pool_reserve', 'fee_vault']);
  });
});

describe('no composition', () => {
  const nothing = {
    available: false,
    slot: null,
    tokenDecimals: null,
    totalSupply: null,
    lifecycle: null,
    reads: null,
    unreadBuckets: [],
    buckets: [],
    authorities: null,
    lpLock: null,
  };

  test('of a token without a pool, or whose pool and mint do not exist yet: not launched', async () => {
    const [planned, announced] = [0, 1].map(() => Keypair.generate().publicKey.toBase58());
    await addToken(planned ?? '', null);
    await addToken(announced ?? '', Keypair.generate().publicKey.toBase58());
    for (const mint of [planned, announced]) {
      expect(await read(mint ?? '')).toMatchObject({
        ...nothing,
        unavailableReason: 'not_launched',
      } as never);
    }
  });

  test('while no node answers, and it is back as soon as one does', async () => {
    const { known, expected } = readPoolFixture('a');
    chain.setFaults({ down: 'unavailable' });
    expect(await read(known.baseMint)).toMatchObject({
      ...nothing,
      unavailableReason: 'chain_unavailable',
    } as never);
    chain.setFaults({});
    api.dependencies.chainReadCaches.supply.clear();
    expect(amountsOf(await read(known.baseMint))).toEqual(expected.buckets);
  });

  test('of a token that is unknown or hidden', async () => {
    const hidden = Keypair.generate().publicKey.toBase58();
    await addToken(hidden, null, true);
    for (const mint of [hidden, Keypair.generate().publicKey.toBase58()]) {
      await expectProblem(await request(mint), 'token_not_found');
    }
    await expectProblem(await request('not-an-address'), 'validation_failed');
  });
});
