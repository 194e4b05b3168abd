import { expect, test } from 'bun:test';
import {
  getLiquidityDeltaFromAmountAForCompoundingLiquidity,
  getLiquidityDeltaFromAmountBForCompoundingLiquidity,
  getPoolCreationLiquidityDeltaFromAmountAForCompoundingLiquidity,
  getSqrtPriceFromAmountsForCompoundingLiquidity,
} from '@meteora-ag/cp-amm-sdk';
import {
  getInitialLiquidityFromDeltaBase,
  getInitialLiquidityFromDeltaQuote,
  getMigrationBaseToken,
  getProtocolMigrationFee,
  MigrationOption,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import BN from 'bn.js';
import fc from 'fast-check';
import {
  baseBeside,
  liquidityOfRest,
  openingOf,
  protocolPart,
} from '../../../sandbox/chain/programs/curve/migrated-liquidity.ts';
import { U64_MAX, U128_MAX } from '../../../src/chain/pools/fixed-point.ts';
import { amountUpTo, SQRT_PRICE_MAX, SQRT_PRICE_MIN } from '../../support/pools/pool-arbitraries.ts';

const RUNS = { numRuns: 5_000 };
const amount = amountUpTo(U64_MAX);
const price = amountUpTo(SQRT_PRICE_MAX - SQRT_PRICE_MIN - 2n).map((above) => SQRT_PRICE_MIN + above);
const target = fc.record({ sqrtPrice: price, isCompounding: fc.boolean() });
const pair = fc.record({ base: amount, quote: amount });
/** The library has the formulas of compounding pools under DAMM v1, which has no range of prices either. */
const optionOf = ({ isCompounding }: { isCompounding: boolean }) =>
  isCompounding ? MigrationOption.MET_DAMM : MigrationOption.MET_DAMM_V2;

test('the base tokens beside a quote are those of the library', () => {
  fc.assert(
    fc.property(amount, target, (quote, to) => {
      const theirs = getMigrationBaseToken(toBn(quote), toBn(to.sqrtPrice), optionOf(to));
      expect(baseBeside(quote, to)).toBe(fromBn(theirs));
    }),
    RUNS,
  );
});

test("the protocol's part is that of the library", () => {
  fc.assert(
    fc.property(pair, fc.integer({ min: 0, max: 10_000 }), target, (tokens, bps, to) => {
      const { base, quote } = tokens;
      const at = toBn(to.sqrtPrice);
      const [ofBase, ofQuote] = getProtocolMigrationFee(toBn(base), toBn(quote), at, bps, optionOf(to));
      const ours = protocolPart(tokens, BigInt(bps), to);
      expect(ours).toEqual({ base: fromBn(ofBase), quote: fromBn(ofQuote) });
    }),
    RUNS,
  );
});

test('on a range, the scarcer token decides the liquidity, as the library computes it for each', () => {
  fc.assert(
    fc.property(pair, price, (tokens, sqrtPrice) => {
      const at = toBn(sqrtPrice);
      const ofBase = getInitialLiquidityFromDeltaBase(toBn(tokens.base), toBn(SQRT_PRICE_MAX), at);
      const ofQuote = getInitialLiquidityFromDeltaQuote(toBn(tokens.quote), toBn(SQRT_PRICE_MIN), at);
      // The program refuses values beyond 128 bits; the library goes on.
      fc.pre(ofQuote.bitLength() <= 128);
      const to = { sqrtPrice, isCompounding: false };
      const liquidity = fromBn(BN.min(ofBase, ofQuote));
      expect(openingOf(tokens, to)).toEqual({ sqrtPrice, liquidity, dead: 0n });
      expect(liquidityOfRest(tokens, to, { tokenAAmount: 1n, tokenBAmount: 1n, liquidity: 1n })).toBe(
        liquidity,
      );
    }),
    RUNS,
  );
});

test('a compounding pool has the liquidity that the library computes from its amounts', () => {
  fc.assert(
    fc.property(pair, price, amount, amount, amountUpTo(U128_MAX), (tokens, sqrtPrice, a, b, liquidity) => {
      const [base, quote] = [toBn(tokens.base), toBn(tokens.quote)];
      const to = { sqrtPrice, isCompounding: true };
      const ofBase = getLiquidityDeltaFromAmountAForCompoundingLiquidity(base, toBn(a), toBn(liquidity));
      const ofQuote = getLiquidityDeltaFromAmountBForCompoundingLiquidity(quote, toBn(b), toBn(liquidity));
      const pool = { tokenAAmount: a, tokenBAmount: b, liquidity };
      expect(liquidityOfRest(tokens, to, pool)).toBe(fromBn(BN.min(ofBase, ofQuote)));
      const start = getSqrtPriceFromAmountsForCompoundingLiquidity(base, quote);
      const theirs = getPoolCreationLiquidityDeltaFromAmountAForCompoundingLiquidity(base, start);
      // The program also refuses prices outside of its bounds.
      fc.pre(theirs.bitLength() <= 128 && start.gte(toBn(SQRT_PRICE_MIN)) && start.lt(toBn(SQRT_PRICE_MAX)));
      expect(openingOf(tokens, to).liquidity).toBe(fromBn(theirs));
    }),
    RUNS,
  );
});

function toBn(value: bigint): BN {
  return new BN(value.toString());
}

function fromBn(value: BN): bigint {
  return BigInt(value.toString());
}
