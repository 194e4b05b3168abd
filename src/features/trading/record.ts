import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { inverted, shortfallBps, wholeTokenPrice } from '../../chain/pools/spot-price.ts';
import type { IntentQuote } from '../../db/values/transaction-intents.ts';
import { rawToDecimal } from '../../shared/decimal.ts';
import type { FeeParts, Quote } from './quote.ts';
import type { WalletSwap } from './wallet-swap.ts';

const SOL_DECIMALS = 9;
const FEE_RATE_DIGITS = 9;

export interface QuoteTerms {
  /** Null with a limit of the request. */
  slippageBps: number | null;
  /** What the wallet pays or gets, after the platform fee. */
  limitRaw: bigint;
  /** Gets the platform fee; null where no customer is known. */
  feeAccount: string | null;
}

/** The public quote (contract/trading#quote). */
export function toQuote(swap: WalletSwap, { slippageBps, limitRaw, feeAccount }: QuoteTerms) {
  const { quote, share, platformFee } = swap;
  const { snapshot, amounts, venue, pool, capacity } = quote;
  const { facts, asOf } = snapshot;
  const {
    slot,
    slippageBps: _,
    minimumOutputRaw,
    maximumInputRaw,
    ...terms
  } = toIntentQuote(swap, { slippageBps, limitRaw });
  const price = (ratio: Quote['priceBefore']) => wholeTokenPrice(ratio, facts.decimals, SOL_DECIMALS);
  return {
    mintAddress: facts.mintAddress,
    venue,
    poolAddress: pool.address,
    programAddress: pool.program,
    ...terms,
    amountBps: share?.bps ?? null,
    walletBalanceRaw: share === null ? null : String(share.balanceRaw),
    platformFee:
      platformFee === null
        ? null
        : { bps: platformFee.bps, lamports: String(platformFee.lamports), account: feeAccount },
    slippageBps,
    minimumOutputRaw,
    maximumInputRaw,
    fee: toFee(quote.fee, amounts.feeNumerator),
    spotPriceInSol: price(quote.priceBefore),
    spotPriceAfterInSol: price(quote.priceAfter),
    priceImpactBps: Number(priceImpact(quote)),
    completesCurve: quote.completesCurve,
    remainingCapacity:
      capacity === null ? null : { quoteRaw: String(capacity.quoteRaw), baseRaw: String(capacity.baseRaw) },
    slot,
    asOf: asOf.toISOString(),
  };
}

/** The part of a quote that its intent keeps, to compare with what the swap did (contract/intents#landed). */
export function toIntentQuote(
  { quote, inputRaw, outputRaw }: WalletSwap,
  { slippageBps, limitRaw }: Omit<QuoteTerms, 'feeAccount'>,
): IntentQuote {
  const { snapshot, request } = quote;
  const { mintAddress } = snapshot.facts;
  const [inputMint, outputMint] =
    request.side === 'buy' ? [WRAPPED_SOL_MINT, mintAddress] : [mintAddress, WRAPPED_SOL_MINT];
  const isExactIn = request.mode === 'exact_in';
  return {
    side: request.side,
    mode: isExactIn ? 'exact-in' : 'exact-out',
    inputMint,
    outputMint,
    inputRaw: String(inputRaw),
    outputRaw: String(outputRaw),
    slippageBps,
    minimumOutputRaw: isExactIn ? String(limitRaw) : null,
    maximumInputRaw: isExactIn ? null : String(limitRaw),
    slot: String(snapshot.clock.slot),
  };
}

function toFee(
  { mintAddress, totalRaw, protocolRaw, partnerRaw, creatorRaw, liquidityProvidersRaw }: FeeParts,
  numerator: bigint,
) {
  return {
    mintAddress,
    rate: rawToDecimal(numerator, FEE_RATE_DIGITS),
    totalRaw: String(totalRaw),
    protocolRaw: String(protocolRaw),
    partnerRaw: String(partnerRaw),
    creatorRaw: String(creatorRaw),
    liquidityProvidersRaw: String(liquidityProvidersRaw),
  };
}

/** The impact on the price alone, without fees. */
function priceImpact({ request, amounts, fee, priceBefore }: Quote): bigint {
  const isBuy = request.side === 'buy';
  const inputMintIsFee = (fee.mintAddress === WRAPPED_SOL_MINT) === isBuy;
  const outBeforeFee = inputMintIsFee ? amounts.outRaw : amounts.outRaw + fee.totalRaw;
  return shortfallBps(amounts.inExcludingFeeRaw, outBeforeFee, isBuy ? inverted(priceBefore) : priceBefore);
}
