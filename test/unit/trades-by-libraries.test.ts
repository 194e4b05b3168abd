import { expect, test } from 'bun:test';
import { MAX_SQRT_PRICE, MIN_SQRT_PRICE } from '@meteora-ag/cp-amm-sdk';
import { PublicKey } from '@solana/web3.js';
import BN from 'bn.js';
import fc from 'fast-check';
import { readChainTransaction } from '../../src/indexer/decode/chain-transaction.ts';
import { decodeTransaction } from '../../src/indexer/decode/decode-transaction.ts';
import type { DecodedTransaction } from '../../src/indexer/decode/decoded-transaction.ts';
import type { TokenPool } from '../../src/indexer/decode/known-pools.ts';
import { readCurveFixtures } from '../support/pools/curve-fixtures.ts';
import { poolsOf, readDammFixtures } from '../support/pools/damm-fixtures.ts';
import { SOL } from '../support/pools/event-case.ts';
import { addressOf, eventInstruction, idlInstruction, transactionOf } from '../support/pools/program-idl.ts';
import { encodeSwap, type LibrarySwap, swapsByLibrary, tradeOf } from '../support/pools/swaps-by-library.ts';

/** Trades without the fields that come from the transaction itself. */
const tradesOf = ({ trades }: DecodedTransaction) =>
  trades.map(({ signature: _, slot: __, blockTime: ___, ...trade }) => ({ ...trade }));

test('every recorded swap of both programs is the trade that their libraries read, field by field', () => {
  const counts = { dbc: 0, damm: 0 };
  const histories = [
    ...readCurveFixtures().map(({ pool, steps }) => ({ pools: pool, decimals: pool.decimals, steps })),
    ...readDammFixtures().map((fixture) => ({ ...fixture, pools: poolsOf(fixture) })),
  ];
  for (const { pools, decimals, steps } of histories)
    for (const { transaction } of steps) {
      const told = swapsByLibrary(transaction, decimals);
      const read = tradesOf(decodeTransaction(readChainTransaction(transaction), pools));
      expect<unknown>(read).toEqual(told);
      for (const { venue } of told) counts[venue] += 1;
    }
  // As the READMEs of the recordings count them.
  expect(counts).toEqual({ dbc: 31, damm: 55 });
});

const bn = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map((value) => new BN(value.toString()));
const u64 = bn(0n, (1n << 64n) - 1n);
/** The price of the moved amounts; an amount of zero has none. */
const moved = bn(1n, (1n << 64n) - 1n);
const sqrtPrice = fc
  .double({ min: 0, max: 1, noNaN: true })
  .chain((part) => {
    // Prices are spread over their orders of magnitude, not over their values.
    const [low, high] = [BigInt(String(MIN_SQRT_PRICE)), BigInt(String(MAX_SQRT_PRICE))];
    const bits = 32 + Math.round(part * 64);
    const top = 1n << BigInt(bits);
    return fc.bigInt({ min: low, max: top < low ? low : top > high ? high : top });
  })
  .map((value) => new BN(value.toString()));
const swapResult = fc.record({
  ...{ includedFeeInputAmount: moved, excludedFeeInputAmount: u64, amountLeft: u64, outputAmount: moved },
  ...{ nextSqrtPrice: sqrtPrice, tradingFee: u64, claimingFee: u64, protocolFee: u64 },
  ...{ compoundingFee: u64, referralFee: u64 },
});
const parameters = fc.record({ amount0: u64, amount1: u64, swapMode: fc.integer({ min: 0, max: 2 }) });
const fields = fc.record({
  ...{ tradeDirection: fc.constantFrom(0, 1), hasReferral: fc.boolean() },
  ...{ collectFeeMode: fc.integer({ min: 0, max: 2 }), parameters, swapResult },
  ...{ quoteReserveAmount: u64, migrationThreshold: u64, currentTimestamp: bn(1n, 4_000_000_000n) },
  ...{ includedTransferFeeAmountIn: moved, includedTransferFeeAmountOut: moved },
  ...{ excludedTransferFeeAmountOut: moved, reserveAAmount: u64, reserveBAmount: u64 },
});

test('random swaps that the libraries encode are the trades that the libraries read', () => {
  const [poolAddress, mintAddress] = [addressOf('the pool'), addressOf('the token')];
  fc.assert(
    fc.property(
      fields,
      fc.constantFrom('dbc' as const, 'damm' as const),
      fc.constantFrom('swap', 'swap2'),
      fc.boolean(),
      fc.integer({ min: 0, max: 18 }),
      ({ parameters: asked, ...random }, program, instruction, solIsA, decimals) => {
        const [a, b] = program === 'damm' && solIsA ? [SOL, mintAddress] : [mintAddress, SOL];
        const mints =
          program === 'dbc' ? { base_mint: a, quote_mint: b } : { token_a_mint: a, token_b_mint: b };
        const outer = idlInstruction(program, instruction, {
          pool: poolAddress,
          virtual_pool: poolAddress,
          ...mints,
        });
        const key = new PublicKey(poolAddress);
        const body = encodeSwap(program, {
          ...random,
          ...{ pool: key, config: key, swapParameters: asked, params: asked },
        });
        const pool = { venue: program, poolAddress, mintAddress, decimals } as TokenPool;
        const decoded = decodeTransaction(
          transactionOf(outer, [eventInstruction(program, 'EvtSwap2', body)]),
          pool,
        );
        const own = program === 'dbc' ? ['quoteReserveAmount'] : ammFields;
        const { tradeDirection, swapResult: result } = random;
        const event = Object.fromEntries(own.map((name) => [name, random[name as keyof typeof random]]));
        const told = tradeOf(
          program,
          { pool: key, tradeDirection, swapResult: result, ...event } as LibrarySwap,
          { payer: addressOf('payer'), ...mints },
          decimals,
        );
        expect<unknown>(tradesOf(decoded)).toEqual([{ ...told, outerIndex: 0, innerIndex: 0 }]);
      },
    ),
    { numRuns: 2_000 },
  );
});

const ammFields = [
  'includedTransferFeeAmountIn',
  'excludedTransferFeeAmountOut',
  'reserveAAmount',
  'reserveBAmount',
];
