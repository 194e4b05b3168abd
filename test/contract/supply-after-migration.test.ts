import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { migratedPoolAddresses } from '../../src/chain/accounts/derived-addresses.ts';
import {
  amountsOf,
  type CompositionStage,
  createCompositionStage,
  foreignAccount,
} from '../support/pools/composition-stage.ts';
import {
  dammPoolAccount,
  dammPositionAccount,
  type PoolFixture,
  readPoolFixture,
  tokenAccount,
  u64,
  withBytes,
} from '../support/pools/pool-accounts.ts';

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const MIGRATION_PROGRESS = 308;
const FINISH_CURVE_TIMESTAMP = 344;
let stage: CompositionStage;

beforeAll(async () => {
  stage = await createCompositionStage();
});
beforeEach(() => stage.reset());

/** Fixture j at a later stage: the program has moved the tokens out of the base vault. */
async function migrate(fixture: PoolFixture, progress: number, vault: bigint) {
  const { known, accounts } = fixture;
  const amm = await migratedPoolAddresses(known.baseMint, WRAPPED_SOL, feeOptionOf(fixture));
  const escrowToken = known.lockerEscrowToken;
  if (amm === null || escrowToken === undefined) throw new Error('no addresses');
  const finished = u64(BigInt(Math.floor(Date.now() / 1_000)));
  stage.setAccounts([
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

describe('the composition after the curve', () => {
  test('tokens for the locker lie in the vault, and none are for sale', async () => {
    const { known, expected } = readPoolFixture('j');
    await migrate(readPoolFixture('j'), 1, 300_000_000_000_000n);
    const body = await stage.read(known.baseMint);
    expect(body).toMatchObject({ lifecycle: 'migrating', reads: 'complete' });
    expect(amountsOf(body)).toEqual({
      curve_leftover: (300_000_000_000_000n - 153_582_219_255_314n - 120_000_000_000_000n).toString(),
      migration_reserve: expected.buckets.migration_reserve ?? '',
      vesting_escrows: '120000000000000',
      free_float: '700000000000000',
    });
  });

  test('locked vesting is the balance of the escrow; an unreadable escrow is named', async () => {
    const fixture = readPoolFixture('j');
    const { mint, escrowToken } = await migrate(fixture, 2, 153_582_219_255_314n);
    const body = await stage.read(mint);
    expect(amountsOf(body)).toEqual({
      migration_reserve: '153582219255314',
      vesting_escrows: '90000000000000',
      free_float: (1_000_000_000_000_000n - 153_582_219_255_314n - 90_000_000_000_000n).toString(),
    });
    expect(body.buckets.find(({ key }) => key === 'vesting_escrows')?.addresses).toEqual([escrowToken]);
    stage.setAccounts([[escrowToken, foreignAccount]]);
    expect(await stage.read(mint)).toMatchObject({ reads: 'partial', unreadBuckets: ['vesting_escrows'] });
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
    stage.setAccounts([
      [pool, dammPoolAccount(state)],
      [baseVault, tokenAccount(mint, pool, 150_000_000_000_040n)],
      [position, dammPositionAccount(pool, 0n, 2n ** 90n + 1n, 0n)],
    ]);
    const body = await stage.read(mint);
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

    stage.setAccounts([[position, dammPositionAccount(pool, 1n, 2n ** 90n, 0n)]]);
    expect((await stage.read(mint)).lpLock).toEqual({ ...lock, hasUnlockedLiquidity: true });

    stage.setAccounts([[pool, dammPoolAccount({ ...state, permanentlyLockedLiquidity: state.liquidity })]]);
    const locked = {
      permanentlyLockedBps: 10_000,
      hasUnlockedLiquidity: false,
      isFullyPermanentlyLocked: true,
    };
    expect((await stage.read(mint)).lpLock).toEqual({ ...lock, ...locked });

    stage.setAccounts([[baseVault, foreignAccount]]);
    expect((await stage.read(mint)).unreadBuckets).toEqual(['pool_reserve', 'fee_vault']);
  });

  test('a pool whose AMM cannot be read has the lock that ingest reported', async () => {
    const { mint, pool } = await migrate(readPoolFixture('j'), 3, 1_000n);
    stage.setAccounts([[pool, foreignAccount]]);
    expect((await stage.read(mint)).lpLock).toBeNull();
    await stage.api.dependencies.database`
      insert into liquidity_locks (mint_address, pool_address, position_count, permanently_locked_bps, slot, as_of)
      values (${mint}, ${pool}, 3, 9999, 1, ${new Date()})`;
    stage.api.dependencies.chainReadCaches.supply.clear();
    const body = await stage.read(mint);
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
