import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAMM_V1, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import {
  DAMM_V1_OPENED_POOL,
  dammV1Instructions,
  dammV1SwapAccounts,
  opensPool,
} from '../../src/indexer/decode/damm-v1-program.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import type { TokenPool } from '../../src/indexer/decode/known-pools.ts';
import { divideDecimals, rawToDecimal } from '../../src/shared/decimal.ts';
import { signatureOf } from '../support/market/market-arbitraries.ts';
import { type BuiltPlace, builtTransaction, routed } from '../support/pools/built-transaction.ts';
import { type BuiltCall, DammV1Market, type MadeSwap, transfer } from '../support/pools/damm-v1-market.ts';
import { AmmIdl, instructionsOf, sdkDiscriminator, sdkInstruction } from '../support/pools/damm-v1-sdk.ts';
import { addressOf, idlInstruction } from '../support/pools/program-idl.ts';

// Cases without a recording. The program's npm library encodes the instructions and quotes the amounts.

const DECIMALS = 6;
const SECONDS = 1_797_000_000;
const vaultOf = (totalRaw: bigint) => ({
  totalRaw,
  lockedProfitRaw: 0n,
  lastReportSeconds: 0n,
  lockedProfitDegradation: 0n,
  supply: totalRaw - totalRaw / 7n,
  shares: totalRaw / 3n,
});

function market(options: { solIsA?: boolean; mintAddress?: string } = {}): DammV1Market {
  return new DammV1Market({
    mintAddress: options.mintAddress ?? addressOf('the token'),
    ...options,
    sol: vaultOf(900_000_000_000n),
    token: vaultOf(600_000_000_000_000n),
  });
}

const poolOf = ({ poolAddress }: DammV1Market, change: Partial<TokenPool> = {}) =>
  ({
    venue: 'damm_v1',
    poolAddress,
    mintAddress: addressOf('the token'),
    decimals: DECIMALS,
    ...change,
  }) as TokenPool;

const place: BuiltPlace = { signature: signatureOf(1), slot: 461_000_000, blockTime: SECONDS };
const decode = (calls: readonly BuiltCall[], pool: TokenPool, changes: Partial<BuiltPlace> = {}) =>
  decodeTransaction(readChainTransaction(builtTransaction(calls, { ...place, ...changes })), pool);

/** The expected reading of a swap, except its place. */
function tradeOf({ type, trader, solRaw, tokenRaw }: MadeSwap, { poolAddress }: DammV1Market) {
  const [solAmount, tokenAmount] = [rawToDecimal(solRaw, 9), rawToDecimal(tokenRaw, DECIMALS)];
  return {
    signature: place.signature,
    slot: BigInt(place.slot),
    blockTime: new Date(SECONDS * 1_000),
    venue: 'damm_v1' as const,
    poolAddress,
    mintAddress: addressOf('the token'),
    type,
    traderWallet: trader,
    solAmount,
    tokenAmount,
    pricePerTokenInSol: divideDecimals(solAmount, tokenAmount),
    spotPriceInSol: null,
    liquidityInSol: null,
  };
}

const withoutPlaces = ({ trades }: DecodedTransaction) =>
  trades.map(({ outerIndex: _, innerIndex: __, ...trade }) => trade);

function oneSwap(of: DammV1Market, gives: 'sol' | 'token' = 'sol', inRaw = 5_000_000_000n): MadeSwap {
  const made = of.swap({ trader: addressOf('a trader'), gives, inRaw, unixSeconds: BigInt(SECONDS) });
  if (made === null) throw new Error('the library refuses');
  return made;
}

test('every instruction of the published interface is known, and a swap has its accounts in the published order', () => {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const published = instructionsOf('amm').map(({ name }) => [sdkDiscriminator(name), snake(name)]);
  expect(Object.fromEntries(dammV1Instructions)).toEqual(Object.fromEntries(published));
  const accountsOf = (name: string) =>
    instructionsOf('amm')
      .find((one) => one.name === name)
      ?.accounts.map((account) => account.name) ?? [];
  const swap = accountsOf('swap');
  expect(Object.entries(dammV1SwapAccounts).map(([name, at]) => [name, swap[at]])).toEqual([
    ['pool', 'pool'],
    ['userSource', 'userSourceToken'],
    ['userDestination', 'userDestinationToken'],
    ['aVault', 'aVault'],
    ['bVault', 'bVault'],
    ['aTokenVault', 'aTokenVault'],
    ['bTokenVault', 'bTokenVault'],
    ['user', 'user'],
  ]);
  const opening = AmmIdl.instructions.map(({ name }) => name).filter((name) => opensPool(snake(name)));
  expect(opening.length).toBe(6);
  for (const name of opening) expect(accountsOf(name)[DAMM_V1_OPENED_POOL]).toBe('pool');
});

test('random swaps are read from their instructions, at any depth, several in a transaction, with SOL as either token', () => {
  const order = fc.record({
    gives: fc.constantFrom('sol' as const, 'token' as const),
    inRaw: fc.bigInt({ min: 1n, max: 50_000_000_000n }),
    trader: fc.integer({ min: 1, max: 5 }),
    levels: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(
      fc.array(order, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.boolean(),
      (orders, solIsA, hidesLevels) => {
        const of = market({ solIsA });
        const foreign = market({ solIsA, mintAddress: addressOf('another token') });
        const made = orders.flatMap(({ trader, ...rest }) => {
          const unixSeconds = BigInt(SECONDS);
          const swap = of.swap({ ...rest, trader: addressOf(`trader ${trader}`), unixSeconds });
          const other = foreign.swap({ ...rest, trader: addressOf(`trader ${trader}`), unixSeconds });
          return swap === null || other === null ? [] : [{ swap, other, levels: rest.levels }];
        });
        const calls = made.map(({ swap, other, levels }) =>
          levels === 0 ? swap.call : routed([other.call, swap.call, other.call], levels),
        );
        const decoded = decode(calls, poolOf(of), { hidesLevels });
        expect(withoutPlaces(decoded)).toEqual(made.map(({ swap }) => tradeOf(swap, of)));
        expect([decoded.skippedSwaps, decoded.unknownEvents.size]).toEqual([[], 0]);
        const identities = decoded.trades.map(({ outerIndex, innerIndex }) => `${outerIndex}:${innerIndex}`);
        expect(new Set(identities).size).toBe(made.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('the same swap twice in one call of a router is two trades, which differ by the transfers that pay them', () => {
  const of = market();
  const made = [oneSwap(of), oneSwap(of, 'token', 7_000_000_000n), oneSwap(of)];
  const decoded = decode(
    [
      routed(
        made.map(({ call }) => call),
        1,
      ),
    ],
    poolOf(of),
  );
  expect(withoutPlaces(decoded)).toEqual(made.map((swap) => tradeOf(swap, of)));
  // A swap is followed by a fee, a deposit of three instructions and a withdrawal of three, of which the second pays.
  expect(decoded.trades.map(({ outerIndex, innerIndex }) => [outerIndex, innerIndex])).toEqual([
    [0, 6],
    [0, 14],
    [0, 22],
  ]);
});

describe('only the program can make a trade', () => {
  const pays = (of: DammV1Market) => oneSwap(of).call;
  const cases: Record<string, (of: DammV1Market) => { calls: BuiltCall[]; changes?: Partial<BuiltPlace> }> = {
    'a transaction that failed': (of) => ({ calls: [pays(of)], changes: { failed: true } }),
    'the same instruction of another program': (of) => ({
      calls: [{ ...pays(of), programAddress: addressOf('another program') }],
    }),
    'logs that claim a swap': (of) => ({
      calls: [routed([], 1)],
      changes: {
        mints: { [of.poolAddress]: addressOf('the token') },
        logs: [
          `Program ${DAMM_V1} invoke [1]`,
          'Program log: Instruction: Swap',
          `Program ${DAMM_V1} success`,
        ],
      },
    }),
    'a swap of another pool': () => ({
      calls: [pays(market({ mintAddress: addressOf('another token') }))],
    }),
    'a claim of a known name': (of) => ({
      calls: [
        { ...sdkInstruction('amm', 'withdrawProtocolFees', { pool: of.poolAddress }), inner: pays(of).inner },
      ],
    }),
  };
  for (const [name, make] of Object.entries(cases))
    test(name, () => {
      const of = market();
      const { calls, changes } = make(of);
      const { trades, skippedSwaps, unknownEvents } = decode(calls, poolOf(of), changes);
      expect([trades, skippedSwaps, unknownEvents.size]).toEqual([[], [], 0]);
    });

  test('transfers beside a swap that have its accounts', () => {
    const of = market();
    const swap = oneSwap(of);
    const [source = '', destination = ''] = swap.call.accounts.slice(1, 3);
    const beside = [
      transfer(source, addressOf('anybody'), swap.trader, 3n),
      transfer(of.sides[0].tokenVault, destination, addressOf('an authority'), 4n),
    ];
    for (const calls of [[...beside, swap.call, ...beside], [routed([...beside, swap.call, ...beside], 2)]])
      expect(withoutPlaces(decode(calls, poolOf(of)))).toEqual([tradeOf(swap, of)]);
  });
});

describe('an unreadable transaction is reported by name, and never becomes a false trade', () => {
  test.each([
    ['nobody is paid', (call: BuiltCall) => ({ ...call, inner: call.inner.slice(0, -1) })],
    ['nobody pays', (call: BuiltCall) => ({ ...call, inner: call.inner.slice(2) })],
    ['nothing ran inside', (call: BuiltCall) => ({ ...call, inner: [] })],
    ['too few accounts', (call: BuiltCall) => ({ ...call, accounts: call.accounts.slice(0, 12) })],
  ])('%s', (_, change) => {
    const of = market();
    expect(decode([change(oneSwap(of).call)], poolOf(of))).toMatchObject({
      trades: [],
      skippedSwaps: ['unreadable'],
    });
  });

  test('another quote token, another token, absurd decimals, a lost time of the block', () => {
    const of = market();
    const { call } = oneSwap(of);
    const dollars = { ...call, accounts: call.accounts.with(4, addressOf('a vault of dollars')) };
    const reasons = (calls: BuiltCall[], pool: TokenPool, changes: Partial<BuiltPlace> = {}) =>
      decode(calls, pool, changes).skippedSwaps;
    expect(reasons([dollars], poolOf(of))).toEqual(['quote_is_not_sol']);
    const told = {
      [of.sides[0].tokenVault]: addressOf('the token'),
      [of.sides[1].tokenVault]: addressOf('a dollar'),
    };
    expect(reasons([dollars], poolOf(of), { mints: told })).toEqual(['quote_is_not_sol']);
    const mints = { [of.sides[0].tokenVault]: addressOf('another token') };
    expect(reasons([call], poolOf(of), { mints })).toEqual(['mint_differs']);
    for (const decimals of [19, -1, 1.5])
      expect(reasons([call], poolOf(of, { decimals }))).toEqual(['decimals_unusable']);
    expect(reasons([call], poolOf(of), { blockTime: null })).toEqual(['unreadable']);
  });

  test('an unpublished instruction is a sign of an upgrade on the pool, and is ignored on another pool', () => {
    const of = market();
    const { call } = oneSwap(of);
    const later = { ...call, data: '3Bxs4NN8M2Yn4TLb' };
    const { trades, unknownEvents } = decode([later], poolOf(of));
    expect(trades).toEqual([]);
    expect([...unknownEvents]).toEqual([[expect.stringMatching(/^damm_v1:[0-9a-f]{16}$/), 1]]);
    const other = market({ mintAddress: addressOf('another token') });
    expect(decode([later], poolOf(other)).unknownEvents.size).toBe(0);
  });
});

test('the pool of a migration is known from the migration on, whichever of the two pools is asked for', () => {
  const of = market();
  const swap = oneSwap(of);
  const curve = {
    poolAddress: addressOf('the curve'),
    mintAddress: addressOf('the token'),
    decimals: DECIMALS,
  };
  const { accounts, ...migrate } = idlInstruction('dbc', 'migrate_meteora_damm', {
    virtual_pool: curve.poolAddress,
    pool: of.poolAddress,
    token_a_mint: curve.mintAddress,
    token_b_mint: WRAPPED_SOL_MINT,
    amm_program: DAMM_V1,
  });
  const calls = [{ ...migrate, accounts: [...accounts], inner: [] }, swap.call];
  for (const pool of [curve, poolOf(of)]) {
    const decoded = decode(calls, pool);
    expect(withoutPlaces(decoded)).toEqual([tradeOf(swap, of)]);
    expect<unknown>(decoded.migrations).toMatchObject([
      { curvePoolAddress: curve.poolAddress, ammPoolAddress: of.poolAddress, ammProgram: DAMM_V1 },
    ]);
  }
  // Without the migration nothing shows that the pool is the token's.
  expect(decode([swap.call], curve).trades).toEqual([]);
});

test('the instruction that opens the pool is its beginning', () => {
  const of = market();
  const open = (pool: string) => ({
    ...sdkInstruction('amm', 'initializePermissionlessConstantProductPoolWithConfig', { pool }, undefined),
    inner: [],
  });
  expect(decode([routed([open(of.poolAddress)], 1)], poolOf(of)).poolCreated).toBe(true);
  expect(decode([open(addressOf('another pool'))], poolOf(of)).poolCreated).toBe(false);
});
