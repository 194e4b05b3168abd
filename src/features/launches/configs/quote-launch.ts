import type { KnownCurveConfig } from '../../../chain/pools/curve/config-source.ts';
import type { CurveSwap } from '../../../chain/pools/curve/curve-swap.ts';
import { launchSupplyRaw } from '../../../chain/pools/curve/launch-supply.ts';
import { wholeTokenPrice } from '../../../chain/pools/spot-price.ts';
import { multiplyDecimals, PRICE_FRACTION_DIGITS, rawToDecimal } from '../../../shared/decimal.ts';
import { Problem } from '../../../shared/problem.ts';
import { quotedFirstBuy, type RequestedBuy } from '../first-buy-terms.ts';
import { publicCostWithBuy } from './costs.ts';
import type { DescriptionDependencies } from './describe-configs.ts';
import { chooseConfig, readConfig } from './launch-configs.ts';
import type { LaunchQuote } from './schema.ts';
import { feePercent, priceInSol } from './terms.ts';

const SOL_DECIMALS = 9;
/** A hundred times what all of the supply counts, with the digits of prices. */
const PERCENT_SCALE = 10n ** BigInt(PRICE_FRACTION_DIGITS + 2);

/** What `createLaunch` would give for the same buy; throws the problem with which it would refuse. */
export async function quoteLaunch(
  dependencies: DescriptionDependencies,
  name: string,
  requested: RequestedBuy,
): Promise<LaunchQuote> {
  const chosen = chooseConfig(dependencies.launchConfigs, name);
  if (chosen instanceof Problem) throw chosen;
  const known = await readConfig(chosen);
  if (known instanceof Problem) throw known;
  const bought = quotedFirstBuy(known.config, requested);
  if (bought instanceof Problem) throw bought;
  const rentOf = await dependencies.readRent();
  if (rentOf === null)
    throw new Problem('chain_unavailable', { cause: new Error('no node shows the rent of accounts') });
  return {
    config: name,
    configAddress: known.address,
    ...bought.terms,
    ...publicBuy(known, bought.swap),
    cost: publicCostWithBuy(known, dependencies.publicUrl, rentOf),
  };
}

type ShownBuy = Omit<LaunchQuote, 'config' | 'configAddress' | 'cost' | keyof BuyTerms>;
type BuyTerms = Pick<LaunchQuote, 'amountRaw' | 'slippageBps' | 'amountOutRaw' | 'minimumOutRaw'>;

function publicBuy({ config }: KnownCurveConfig, swap: CurveSwap): ShownBuy {
  const supplyRaw = launchSupplyRaw(config);
  const price = priceInSol(config, swap.nextSqrtPrice);
  return {
    fee: {
      paidIn: swap.feeSide === 'quote' ? 'sol' : 'token',
      ratePercent: feePercent(swap.feeNumerator),
      totalRaw: String(swap.feeRaw),
      protocolRaw: String(swap.protocolFeeRaw),
      partnerRaw: String(swap.partnerFeeRaw),
      creatorRaw: String(swap.creatorFeeRaw),
    },
    averagePriceInSol: wholeTokenPrice(
      { numerator: swap.inRaw, denominator: swap.outRaw },
      config.tokenDecimal,
      SOL_DECIMALS,
    ),
    priceAfterInSol: price,
    marketCapAfterInSol: multiplyDecimals(price, rawToDecimal(supplyRaw, config.tokenDecimal)),
    supplyPercent: rawToDecimal((swap.outRaw * PERCENT_SCALE) / supplyRaw, PRICE_FRACTION_DIGITS),
    completesCurve: swap.completesCurve,
  };
}
