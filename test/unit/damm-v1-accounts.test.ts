import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { isConstantProduct, readDammV1Pool } from '../../src/chain/accounts/damm-v1-pool.ts';
import { dammV1VaultAddress } from '../../src/chain/accounts/derived-addresses.ts';
import { readDynamicVault, shareWorthRaw } from '../../src/chain/accounts/dynamic-vault.ts';
import { CLOCK_SYSVAR, SOL_DYNAMIC_VAULT, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { inspectPool } from '../../src/indexer/pool-history/inspect-pool.ts';
import { findShare, readShareLamports } from '../../src/indexer/pool-history/pool-liquidity.ts';
import { vaultAccount } from '../support/pools/damm-v1-accounts.ts';
import { DammV1Market } from '../support/pools/damm-v1-market.ts';
import { bn, sdkReserves, type VaultNumbers } from '../support/pools/damm-v1-sdk.ts';
import { addressOf } from '../support/pools/program-idl.ts';

const NOW = 1_797_000_000n;
const mintAddress = addressOf('the token');
const u64 = (max = 1n << 62n) => fc.bigInt({ min: 1n, max });

/** Books of a vault that reported a profit recently or long ago. */
const vaults: fc.Arbitrary<VaultNumbers> = fc
  .record({
    totalRaw: u64(),
    locked: fc.integer({ min: 0, max: 1_000 }),
    agoSeconds: fc.bigInt({ min: 0n, max: 100_000n }),
    lockedProfitDegradation: fc.bigInt({ min: 0n, max: 100_000_000n }),
    supply: u64(),
    share: fc.integer({ min: 0, max: 1_000 }),
  })
  .map(({ totalRaw, locked, agoSeconds, lockedProfitDegradation, supply, share }) => ({
    totalRaw,
    lockedProfitRaw: (totalRaw * BigInt(locked)) / 1_000n,
    lastReportSeconds: NOW - agoSeconds,
    lockedProfitDegradation,
    supply,
    shares: (supply * BigInt(share)) / 1_000n,
  }));

const reading = (accounts: ReadonlyMap<string, ChainAccount>) => async (addresses: readonly string[]) =>
  new Map(addresses.map((address) => [address, accounts.get(address) ?? null]));

test('the SOL in random pools is what the library computes from the same accounts, whichever token SOL is', async () => {
  await fc.assert(
    fc.asyncProperty(vaults, vaults, fc.boolean(), async (sol, token, solIsA) => {
      const market = new DammV1Market({ mintAddress, solIsA, sol, token });
      const read = reading(market.accounts(NOW));
      const share = await findShare(read, market.poolAddress);
      if (share === null) throw new Error('the pool is not read');
      const { aRaw, bRaw } = sdkReserves(market.sides[0].numbers, market.sides[1].numbers, NOW);
      expect(await readShareLamports(read, share)).toBe(solIsA ? aRaw : bRaw);
    }),
    { numRuns: 200 },
  );
});

test('numbers that cannot be of one moment yield no amount', () => {
  const vault = {
    totalRaw: 10n,
    tokenMint: WRAPPED_SOL_MINT,
    lpMint: mintAddress,
    lockedProfitRaw: 11n,
    lastReportSeconds: NOW,
    lockedProfitDegradation: 0n,
  } as unknown as Parameters<typeof shareWorthRaw>[0];
  const holding = { shares: 1n, supply: 2n, unixSeconds: NOW };
  expect(shareWorthRaw(vault, holding)).toBeNull();
  const unlocked = { ...vault, lockedProfitRaw: 0n };
  expect(shareWorthRaw(unlocked, holding)).toBe(5n);
  expect(shareWorthRaw(unlocked, { ...holding, shares: 3n })).toBeNull();
  expect(shareWorthRaw(unlocked, { ...holding, unixSeconds: NOW - 1n })).toBeNull();
  expect(shareWorthRaw(unlocked, { shares: 0n, supply: 0n, unixSeconds: NOW })).toBe(0n);
});

test('accounts that are missing, foreign or of another pool yield no amount', async () => {
  const numbers = {
    totalRaw: 100n,
    lockedProfitRaw: 0n,
    lastReportSeconds: 0n,
    lockedProfitDegradation: 0n,
    supply: 10n,
    shares: 5n,
  };
  const market = new DammV1Market({ mintAddress, sol: numbers, token: numbers });
  const accounts = market.accounts(NOW);
  const share = await findShare(reading(accounts), market.poolAddress);
  if (share === null) throw new Error('the pool is not read');
  expect(await readShareLamports(reading(accounts), share)).toBe(50n);
  const [, sol] = market.sides;
  for (const address of [sol.vault, sol.lpMint, sol.shares, CLOCK_SYSVAR]) {
    const without = new Map(accounts);
    without.delete(address);
    expect(await readShareLamports(reading(without), share)).toBeNull();
    const account = accounts.get(address);
    if (account === undefined) continue;
    const short = new Map([...accounts, [address, { ...account, data: account.data.slice(0, 39) }]]);
    expect(await readShareLamports(reading(short), share)).toBeNull();
  }
  expect(await findShare(reading(new Map()), market.poolAddress)).toBeNull();
});

test('the accounts of pool and vault are read as the library writes them', async () => {
  const numbers = {
    totalRaw: 123n,
    lockedProfitRaw: 45n,
    lastReportSeconds: 67n,
    lockedProfitDegradation: 89n,
    supply: 10n,
    shares: 5n,
  };
  for (const solIsA of [false, true]) {
    const market = new DammV1Market({ mintAddress, solIsA, sol: numbers, token: numbers });
    const [a, b] = market.sides;
    const account = market.poolAccount();
    expect<unknown>(readDammV1Pool(account)).toEqual({
      tokenAMint: a.mint,
      tokenBMint: b.mint,
      aVault: a.vault,
      bVault: b.vault,
      aVaultLp: a.shares,
      bVaultLp: b.shares,
      curveType: 0,
    });
    for (const side of market.sides)
      expect<unknown>(readDynamicVault(vaultAccount(side))).toEqual({
        totalRaw: 123n,
        tokenMint: side.mint,
        lpMint: side.lpMint,
        lockedProfitRaw: 45n,
        lastReportSeconds: 67n,
        lockedProfitDegradation: 89n,
      });
    expect(market.sides.map(({ mint, vault }) => [mint, vault])).toContainEqual([
      WRAPPED_SOL_MINT,
      SOL_DYNAMIC_VAULT,
    ]);
  }
  expect(await dammV1VaultAddress(WRAPPED_SOL_MINT)).toBe(SOL_DYNAMIC_VAULT);
});

test('a registered pool is usable when it trades the token against SOL by constant product', async () => {
  const numbers = {
    totalRaw: 1n,
    lockedProfitRaw: 0n,
    lastReportSeconds: 0n,
    lockedProfitDegradation: 0n,
    supply: 1n,
    shares: 1n,
  };
  const stable = {
    stable: {
      amp: bn(100n),
      tokenMultiplier: { tokenAMultiplier: bn(1n), tokenBMultiplier: bn(1n), precisionFactor: 9 },
      depeg: { baseVirtualPrice: bn(0n), baseCacheUpdated: bn(0n), depegType: { none: {} } },
      lastAmpUpdatedTimestamp: bn(0n),
    },
  };
  const market = new DammV1Market({ mintAddress, sol: numbers, token: numbers });
  const { poolAddress } = market;
  const inspect = (account: ChainAccount, mint = mintAddress) =>
    inspectPool(reading(new Map([[poolAddress, account]])), { poolAddress, mintAddress: mint });
  const account = market.poolAccount();
  const unusable = (reason: string) => ({ kind: 'unusable', reason, program: 'damm_v1' });
  expect<unknown>(await inspect(account)).toEqual({ kind: 'amm', program: 'damm_v1' });
  expect<unknown>(await inspect(account, addressOf('another token'))).toEqual(unusable('mint_differs'));
  const stablePool = market.poolAccount(stable);
  expect(readDammV1Pool(stablePool)).toMatchObject({ curveType: 1 });
  expect<unknown>(await inspect(stablePool)).toEqual(unusable('stable_pool'));
  expect<unknown>(await inspect({ ...account, data: account.data.slice(0, 874) })).toEqual(
    unusable('unreadable'),
  );
  const data = Buffer.from(account.data).fill(7, 72, 104);
  expect<unknown>(await inspect({ ...account, data })).toEqual(unusable('quote_is_not_sol'));
  const read = readDammV1Pool(account);
  expect(read !== null && isConstantProduct(read)).toBe(true);
});
