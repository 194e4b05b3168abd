import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import {
  calculateFeeSchedulerEndingBaseFeeBps,
  getBaseTokenForSwap,
  getPriceFromSqrtPrice,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import BN from 'bn.js';
import type { ChainAccount } from '../../src/chain/accounts/account-data.ts';
import { SPL_TOKEN, TOKEN_2022, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readCurveConfig, readCurveConfigKeys } from '../../src/chain/pools/curve/config-account.ts';
import type { KnownCurveConfig } from '../../src/chain/pools/curve/config-source.ts';
import { launchSupplyRaw } from '../../src/chain/pools/curve/launch-supply.ts';
import { launchCosts } from '../../src/chain/transactions/launch-costs.ts';
import { describeConfigs } from '../../src/features/launches/configs/describe-configs.ts';
import { quoteLaunch } from '../../src/features/launches/configs/quote-launch.ts';
import {
  LaunchConfigsSchema,
  LaunchQuoteSchema,
  TermsSchema,
} from '../../src/features/launches/configs/schema.ts';
import { launchTerms } from '../../src/features/launches/configs/terms.ts';
import { decimalToRaw } from '../../src/shared/decimal.ts';
import type { Problem } from '../../src/shared/problem.ts';
import { recordFields } from '../support/contract-coverage/fields.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { toAccounts } from '../support/pools/damm-fixtures.ts';
import { curveConfigAccount, curvePoolAccount } from '../support/pools/pool-accounts-from-numbers.ts';
import { askCurveSdk } from '../support/pools/pool-sdks.ts';

interface Recording {
  knownAddresses: { config: string };
  steps: {
    transaction: {
      transaction: { message: { accountKeys: string[] } };
      meta: { fee: number; preBalances: number[]; postBalances: number[] };
    };
    expected: {
      launches: { name: string; symbol: string; uri: string; payer: string }[];
      trades: unknown[];
    };
  }[];
  accountsAfter: Record<string, { owner: string; dataBase64: string }>;
}

const FOLDER = new URL('../fixtures/launch/', import.meta.url);

/** The configs that were recorded with the compiled programs. */
const recordings = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const recording: Recording = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
    const address = recording.knownAddresses.config;
    const account = present(toAccounts(recording.accountsAfter).get(address));
    return { file, recording, account, known: knownOf(account, address) };
  });

function knownOf(account: ChainAccount, address = newAddress()): KnownCurveConfig {
  const config = present(readCurveConfig(account));
  return { address, quoteMint: present(readCurveConfigKeys(account)).quoteMint, config };
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('expected a value');
  return value;
}

const bn = (value: bigint) => new BN(String(value));
/** The rent when the launches were recorded. */
const rentOf = (bytes: number) => (128n + BigInt(bytes)) * 6_960n;
const publicUrl = 'https://api.example';

function recorded(letter: string) {
  return present(recordings.find(({ file }) => file.startsWith(`${letter}-`)));
}

/** Equal in the 15 digits that the library computes with, as far as 18 fractional digits show them. */
function expectNear(ours: string, theirs: number): void {
  expect(Math.abs(Number(ours) - theirs)).toBeLessThanOrEqual(1e-18 + theirs * 1e-14);
}

describe('terms of the recorded configs (contract/launches#config-terms)', () => {
  test.each(recordings)('$file: prices, sold tokens and end of the fee are those of the library', (one) => {
    const { config } = one.known;
    const terms = launchTerms(one.known);
    recordFields({ name: 'LaunchTerms', schema: TermsSchema }, () => terms);
    const priceOf = (sqrtPrice: bigint) =>
      getPriceFromSqrtPrice(bn(sqrtPrice), config.tokenDecimal, 9).toNumber();
    expectNear(terms.startingPriceInSol, priceOf(config.sqrtStartPrice));
    expectNear(terms.graduationPriceInSol, priceOf(config.migrationSqrtPrice));
    const curve = config.curve.map(({ sqrtPrice, liquidity }) => ({
      sqrtPrice: bn(sqrtPrice),
      liquidity: bn(liquidity),
    }));
    const sold = getBaseTokenForSwap(bn(config.sqrtStartPrice), bn(config.migrationSqrtPrice), curve);
    expect(String(decimalToRaw(terms.curveSupply, config.tokenDecimal))).toBe(sold.toString());
    const endBps = calculateFeeSchedulerEndingBaseFeeBps(
      Number(config.cliffFeeNumerator),
      config.firstFactor,
      Number(config.secondFactor),
      Number(config.thirdFactor),
      config.baseFeeMode,
    );
    expect(Math.abs(Number(terms.tradingFee.endPercent) * 100 - endBps)).toBeLessThan(1);
    const { creatorPercent, partnerPercent, protocolPercent } = terms.tradingFee.shares;
    expect(Number(creatorPercent) + Number(partnerPercent) + Number(protocolPercent)).toBe(100);
    const { liquidity } = terms;
    const shares = [
      liquidity.creatorLockedPercent,
      liquidity.creatorUnlockedPercent,
      liquidity.partnerLockedPercent,
      liquidity.partnerUnlockedPercent,
      liquidity.creatorVesting?.percent ?? 0,
      liquidity.partnerVesting?.percent ?? 0,
    ];
    expect(shares.reduce((sum, share) => sum + share)).toBe(100);
  });

  test('b: nine decimals, a fee that falls, a fee for the pool, metadata of the creator', () => {
    const { token, tradingFee } = launchTerms(recorded('b').known);
    expect(token).toMatchObject({ standard: 'spl_token', decimals: 9, updateAuthority: 'creator' });
    expect(token.mintAuthority).toBe('nobody');
    expect(tradingFee.firstBuyPaysEnd).toBe(true);
    expect(Number(tradingFee.startPercent)).toBeGreaterThan(Number(tradingFee.endPercent));
    expect(BigInt(tradingFee.duration)).toBe(BigInt(tradingFee.steps) * BigInt(tradingFee.stepLength));
    expect(recorded('b').known.config.poolCreationFee).toBe(50_000_000n);
  });

  test('c and d: Token-2022, whose mint or metadata somebody may change', () => {
    expect(launchTerms(recorded('c').known).token).toMatchObject({
      standard: 'token_2022',
      updateAuthority: 'partner',
      mintAuthority: 'nobody',
    });
    expect(launchTerms(recorded('d').known).token).toMatchObject({
      standard: 'token_2022',
      updateAuthority: 'creator',
      mintAuthority: 'creator',
    });
  });
});

/** The recorded generation of the token metadata program makes accounts of 679 bytes, that of the clusters of 607. */
const RECORDED_METADATA_SURPLUS = rentOf(679) - rentOf(607);

describe('costs of the recorded launches (contract/launches#config-cost)', () => {
  const launches = recordings.flatMap(({ file, recording, known }) =>
    recording.steps.flatMap(({ transaction, expected }) => {
      const [launch, ...others] = expected.launches;
      const { accountKeys } = transaction.transaction.message;
      // Only the payer's balance of a launch without a buy is the launch alone.
      const isAlone = expected.trades.length === 0 && accountKeys[0] === launch?.payer;
      return launch !== undefined && others.length === 0 && isAlone
        ? [[file, { launch, meta: transaction.meta, config: known.config }] as const]
        : [];
    }),
  );

  test('there are launches of both kinds of token', () => {
    expect(launches).toHaveLength(2);
  });

  test.each(launches)('%s: the payer has paid exactly this', (_, { launch, meta, config }) => {
    const isToken2022 = config.tokenType === 1;
    const costs = launchCosts(
      {
        tokenProgram: isToken2022 ? TOKEN_2022 : SPL_TOKEN,
        textBytes: Buffer.byteLength(launch.name + launch.symbol + launch.uri),
        poolCreationFee: config.poolCreationFee,
      },
      rentOf,
    );
    expect(costs.signatureFee).toBe(10_000n);
    const paid = BigInt((meta.preBalances[0] ?? 0) - (meta.postBalances[0] ?? 0) - meta.fee);
    const surplus = isToken2022 ? 0n : RECORDED_METADATA_SURPLUS;
    expect(costs.rent + costs.metadataFee + costs.poolCreationFee + surplus).toBe(paid);
  });
});

const dependenciesOf = (known: KnownCurveConfig) => ({
  launchConfigs: [{ name: 'one', address: known.address, read: async () => known }],
  readRent: async () => rentOf,
  publicUrl,
});

describe('quotes of initial buys (contract/launches#config-quote)', () => {
  const amounts = [1_000n, 12_345_678n, 1_000_000_000n];

  test.each(recordings)('$file: every figure is that of the library', async ({ account, known }) => {
    const { config } = known;
    const pool = curvePoolAccount({
      sqrtPrice: config.sqrtStartPrice,
      baseReserve: launchSupplyRaw(config),
      poolType: config.tokenType,
    });
    const largest = BigInt(launchTerms(known).maximumInitialBuyRaw);
    for (const amountRaw of [...amounts, largest]) {
      const quote = await quoteLaunch(dependenciesOf(known), 'one', { amountRaw: String(amountRaw) });
      const request = {
        side: 'buy' as const,
        mode: 'exact_in' as const,
        amountRaw,
        limitRaw: null,
        hasReferral: false,
        provesSingleSwap: true,
        isFirstSwapAtLaunch: true,
      };
      const isFavoured = config.enableFirstSwapWithMinFee !== 0;
      const sdk = askCurveSdk(account, pool, 0n, request, isFavoured);
      if ('refusal' in sdk) throw new Error(sdk.refusal);
      const [inRaw, , , outRaw, sqrtPrice, trading, protocol] = sdk.figures;
      expect({ in: inRaw, out: outRaw }).toEqual({ in: quote.amountRaw, out: quote.amountOutRaw });
      const { creatorRaw, partnerRaw, protocolRaw, totalRaw } = quote.fee;
      expect([BigInt(creatorRaw) + BigInt(partnerRaw), BigInt(protocolRaw)].map(String)).toEqual([
        trading ?? '',
        protocol ?? '',
      ]);
      expect(BigInt(totalRaw)).toBe(BigInt(trading ?? 0) + BigInt(protocol ?? 0));
      expectNear(
        quote.priceAfterInSol,
        getPriceFromSqrtPrice(new BN(sqrtPrice ?? '0'), config.tokenDecimal, 9).toNumber(),
      );
      expectNear(quote.supplyPercent, (100 * Number(outRaw)) / Number(launchSupplyRaw(config)));
    }
    const quoteAt = (perByte: bigint) => {
      const readRent = async () => (bytes: number) => (128n + BigInt(bytes)) * perByte;
      return quoteLaunch({ ...dependenciesOf(known), readRent }, 'one', { amountRaw: '1000' });
    };
    const costs = [await quoteAt(6_960n), await quoteAt(5_080n)].map((quote) => {
      recordFields({ name: 'getLaunchConfigQuote', schema: LaunchQuoteSchema }, () => quote);
      return quote.cost;
    });
    // The account of wrapped SOL, which has 165 bytes.
    expect(costs.map((cost) => cost?.temporaryRentLamports)).toEqual(['2039280', '1488440']);
    const beyond = quoteLaunch(dependenciesOf(known), 'one', { amountRaw: String(largest * 2n) });
    const refused = present(
      await beyond.then(
        () => null,
        (problem: Problem) => problem,
      ),
    );
    expect([refused.code, refused.facts.context]).toEqual([
      'launch_buy_out_of_range',
      { maximumAmountRaw: String(largest) },
    ]);
  });
});

describe('a list of configs (contract/launches#config-unavailable)', () => {
  const { known } = recorded('a');
  const named = (name: string, reading: KnownCurveConfig | 'unreachable' | 'absent') => ({
    name,
    address: known.address,
    read: async () => reading,
  });

  test('names those that cannot be used, with the reason and without terms', async () => {
    expect(known.quoteMint).toBe(WRAPPED_SOL_MINT);
    const { data } = await describeConfigs({
      launchConfigs: [
        named('good', known),
        named('dollar', { ...known, quoteMint: newAddress() }),
        named('away', 'unreachable'),
        named('gone', 'absent'),
      ],
      readRent: async () => null,
      publicUrl,
    });
    expect(
      data.map(({ name, isDefault, status, unavailableReason }) => [
        name,
        isDefault,
        status,
        unavailableReason,
      ]),
    ).toEqual([
      ['good', true, 'available', null],
      ['dollar', false, 'unavailable', 'not_in_sol'],
      ['away', false, 'unavailable', 'chain_unavailable'],
      ['gone', false, 'unavailable', 'not_a_config'],
    ]);
    // Rent that no node shows is not invented either.
    expect(data.map(({ terms, cost }) => [terms !== null, cost])).toEqual([
      [true, null],
      [false, null],
      [false, null],
      [false, null],
    ]);
  });

  test.each([1, 2])('adds the fee of the operator for a new pool to the costs, times %d', async (times) => {
    const priced = { ...known, config: { ...known.config, poolCreationFee: 50_000_000n * BigInt(times) } };
    const list = await describeConfigs(dependenciesOf(priced));
    recordFields({ name: 'listLaunchConfigs', schema: LaunchConfigsSchema }, () => list);
    const [{ cost } = { cost: null }] = list.data;
    const { totalLamports, ...parts } = present(cost);
    expect(parts.poolCreationFeeLamports).toBe(String(50_000_000 * times));
    expect(BigInt(totalLamports)).toBe(
      Object.values(parts).reduce<bigint>((sum, lamports) => sum + BigInt(lamports), 0n),
    );
  });

  test('an option of a newer program leaves the terms out', async () => {
    const newer = { ...known, config: { ...known.config, migrationOption: 9 } };
    const { data } = await describeConfigs(dependenciesOf(newer));
    expect(data).toMatchObject([
      { status: 'available', terms: null, cost: { signatureFeeLamports: '10000' } },
    ]);
  });

  test('shows no fee above the cap of the program', () => {
    const { config } = known;
    const percent = (numerator: bigint): string =>
      launchTerms({ ...known, config: { ...config, cliffFeeNumerator: numerator } }).tradingFee.startPercent;
    expect([percent(989_999_999n), percent(990_000_000n), percent(999_999_999n)]).toEqual([
      '98.9999999',
      '99',
      '99',
    ]);
  });

  test('says of a pool with a fixed fee neither that its fee is dynamic, nor that it is not', () => {
    const fixed = { ...known.config, migrationFeeOption: 2, migratedDynamicFee: 1 };
    expect(launchTerms({ ...known, config: fixed }).migration).toMatchObject({
      feeOption: 'fixed',
      hasDynamicFee: null,
      feeFallsWithMarketCap: null,
    });
  });

  test.each([1, 2])('describes rate limiters, slots, vesting and terms of the AMM, times %d', (times) => {
    const { config } = known;
    const t = BigInt(times);
    const account = curveConfigAccount({
      ...config,
      activationType: 0,
      baseFeeMode: 2,
      cliffFeeNumerator: 10_000_000n,
      firstFactor: 250 * times,
      secondFactor: 1_500n * t,
      thirdFactor: 2_000_000_000n * t,
      hasDynamicFee: 1,
      binStep: 1,
      maxVolatilityAccumulator: 100_000 * times,
      variableFeeControl: 2_000_000,
      fixedTokenSupplyFlag: 1,
      preMigrationTokenSupply: 3_000_000_000_000n * t,
      collectFeeMode: 1,
      creatorTradingFeePercent: 33 * times,
      vestingCliffUnlockAmount: 5_000_000n * t,
      vestingAmountPerPeriod: 1_500_000n * t,
      vestingPeriods: 4n * t,
      vestingFrequency: 86_400n * t,
      vestingCliffSeconds: 3_600n * t,
      creatorPermanentLockedLiquidityPercent: 3 * times,
      creatorLiquidityPercent: 4 * times,
      partnerPermanentLockedLiquidityPercent: 6 * times,
      partnerLiquidityPercent: 7 * times,
      hasCreatorVesting: 1,
      creatorVestingPercent: 20 * times,
      creatorVestingBpsPerPeriod: 1_000 * times,
      creatorVestingPeriods: 10 * times,
      creatorVestingFrequency: 60 * times,
      creatorVestingCliffSeconds: 30 * times,
      hasPartnerVesting: 1,
      partnerVestingPercent: 8 * times,
      partnerVestingBpsPerPeriod: 900 * times,
      partnerVestingPeriods: 11 * times,
      partnerVestingFrequency: 70 * times,
      partnerVestingCliffSeconds: 40 * times,
      migrationOption: 1,
      migrationFeeOption: 6,
      migratedPoolFeeBps: 150 * times,
      migratedDynamicFee: 1,
      migratedPoolBaseFeeMode: 3,
      migrationFeePercent: 5 * times,
      creatorMigrationFeePercent: 40 * times,
    });
    const terms = launchTerms({ ...known, config: present(readCurveConfig(account)) });
    recordFields({ name: 'LaunchTerms', schema: TermsSchema }, () => terms);
    expect<string>(terms.token.totalSupply).toBe(String(3_000_000 * times));
    expect(terms.tradingFee).toMatchObject({
      dynamicMaximumPercent: ['0.02', '0.08'][times - 1],
      startPercent: '1',
      endPercent: '1',
      schedule: 'rate_limiter',
      unit: 'slots',
      duration: String(1_500 * times),
      rateLimiter: {
        referenceInSol: String(2 * times),
        incrementPercent: String(2.5 * times),
        maximumPercent: '99',
      },
      paidIn: 'output',
      shares: {
        protocolPercent: '20',
        creatorPercent: ['26.4', '52.8'][times - 1],
        partnerPercent: ['53.6', '27.2'][times - 1],
      },
    });
    expect(terms.vesting).toEqual({
      total: ['11', '34'][times - 1],
      cliff: String(5 * times),
      cliffSeconds: String(3_600 * times),
      perPeriod: String(1.5 * times),
      periods: String(4 * times),
      periodSeconds: String(86_400 * times),
    } as typeof terms.vesting);
    expect(terms.liquidity).toEqual({
      creatorLockedPercent: 3 * times,
      creatorUnlockedPercent: 4 * times,
      creatorVesting: {
        percent: 20 * times,
        cliffSeconds: 30 * times,
        periods: 10 * times,
        periodSeconds: 60 * times,
        bpsPerPeriod: 1_000 * times,
      },
      partnerLockedPercent: 6 * times,
      partnerUnlockedPercent: 7 * times,
      partnerVesting: {
        percent: 8 * times,
        cliffSeconds: 40 * times,
        periods: 11 * times,
        periodSeconds: 70 * times,
        bpsPerPeriod: 900 * times,
      },
    });
    expect(terms.migration).toMatchObject({
      venue: 'damm_v2',
      feeOption: 'custom',
      feePercent: String(1.5 * times),
      hasDynamicFee: true,
      feeFallsWithMarketCap: true,
      migrationFeePercent: 5 * times,
      creatorMigrationFeePercent: 40 * times,
    });
  });
});
