import {
  CpAmm,
  type SwapResult2 as DammResult,
  getFeeMode,
  getSwapResultFromExactInput,
  getSwapResultFromPartialInput,
  type PoolState,
  swapQuoteExactInput,
  swapQuoteExactOutput,
  swapQuotePartialInput,
  TradeDirection,
} from '@meteora-ag/cp-amm-sdk';
import {
  type SwapQuote2Result as CurveResult,
  createDbcProgram,
  type PoolConfig,
  swapQuoteExactIn,
  swapQuoteExactOut,
  swapQuotePartialFill,
  type VirtualPool,
} from '@meteora-ag/dynamic-bonding-curve-sdk';
import { Connection } from '@solana/web3.js';
import BN from 'bn.js';
import type { ChainAccount } from '../../../src/chain/accounts/account-data.ts';
import type { CurveSwapRequest } from '../../../src/chain/pools/curve/curve-request.ts';
import type { DammSwapRequest } from '../../../src/chain/pools/damm/damm-swap.ts';

/** A library's result for a swap: its figures, or a refusal. */
export type SdkVerdict = { refusal: string } | { figures: string[] };

// Nothing connects to this address, because tests use only the account coders.
const nowhere = new Connection('http://127.0.0.1:1');
const curveCoder = createDbcProgram(nowhere).program.coder.accounts;
const dammCoder = new CpAmm(nowhere)._program.coder.accounts;
const curveQuotes = {
  exact_in: swapQuoteExactIn,
  partial_fill: swapQuotePartialFill,
  exact_out: swapQuoteExactOut,
};

/** Quotes a swap with the curve's library. Figures: in, in without fee, left, out, price, trading, protocol,
 * referral fee. */
export function askCurveSdk(
  config: ChainAccount,
  pool: ChainAccount,
  point: bigint,
  request: CurveSwapRequest,
  paysLeastFee: boolean,
): SdkVerdict {
  const decodedConfig: PoolConfig = curveCoder.decode('poolConfig', Buffer.from(config.data));
  const decodedPool: VirtualPool = curveCoder.decode('virtualPool', Buffer.from(pool.data));
  const used = decodedConfig.curve.filter(({ sqrtPrice }) => !sqrtPrice.isZero());
  return verdict(() => {
    const result: CurveResult = curveQuotes[request.mode](
      decodedPool,
      { ...decodedConfig, curve: used },
      request.side === 'sell',
      toBn(request.amountRaw),
      0,
      request.hasReferral,
      toBn(point),
      paysLeastFee,
    );
    return [...amounts(result), result.tradingFee, result.protocolFee, result.referralFee];
  });
}

const dammQuotes = {
  exact_in: swapQuoteExactInput,
  partial_fill: swapQuotePartialInput,
  exact_out: swapQuoteExactOutput,
};

/** Quotes a swap with the AMM's library. Figures: … price, claiming, compounding, protocol, referral fee. */
export function askDammSdk(pool: ChainAccount, point: bigint, request: DammSwapRequest): SdkVerdict {
  const decoded = decodeDammPool(pool);
  return verdict(() =>
    dammFigures(
      dammQuotes[request.mode](
        decoded,
        toBn(point),
        toBn(request.amountRaw),
        0,
        request.direction === 'a_to_b',
        request.hasReferral,
        9,
        9,
      ),
    ),
  );
}

/**
 * Calls the library's arithmetic without its price impact. The library cannot compute the impact when the
 * output rounds to 0, and throws although the program accepts the swap.
 */
export function askDammSdkWithoutPriceImpact(
  pool: ChainAccount,
  point: bigint,
  { mode, direction, hasReferral, amountRaw }: DammSwapRequest,
): SdkVerdict {
  if (mode === 'exact_out') throw new Error('an exact output is never 0');
  const compute = mode === 'exact_in' ? getSwapResultFromExactInput : getSwapResultFromPartialInput;
  const tradeDirection = direction === 'a_to_b' ? TradeDirection.AtoB : TradeDirection.BtoA;
  const decoded = decodeDammPool(pool);
  const feeMode = getFeeMode(decoded.collectFeeMode, tradeDirection, hasReferral);
  return verdict(() => dammFigures(compute(decoded, toBn(amountRaw), feeMode, tradeDirection, toBn(point))));
}

function decodeDammPool({ data }: ChainAccount): PoolState {
  return dammCoder.decode('pool', Buffer.from(data));
}

function dammFigures(result: DammResult): BN[] {
  return [
    ...amounts(result),
    result.claimingFee,
    result.compoundingFee,
    result.protocolFee,
    result.referralFee,
  ];
}

function amounts(result: CurveResult | DammResult): BN[] {
  return [
    result.includedFeeInputAmount,
    result.excludedFeeInputAmount,
    result.amountLeft,
    result.outputAmount,
    result.nextSqrtPrice,
  ];
}

function verdict(ask: () => BN[]): SdkVerdict {
  try {
    return { figures: ask().map(String) };
  } catch (thrown) {
    return { refusal: String(thrown) };
  }
}

function toBn(value: bigint): BN {
  return new BN(value.toString());
}
