import type { RentOf } from '../../../chain/accounts/sysvars.ts';
import type { KnownCurveConfig } from '../../../chain/pools/curve/config-source.ts';
import { firstBuyRent, launchCosts } from '../../../chain/transactions/launch-costs.ts';
import { tokenProgramOf } from '../launch-plan.ts';
import { metadataUrl } from '../metadata-document.ts';
import { NAME_BYTES_MAX, SYMBOL_BYTES_MAX } from '../texts.ts';
import type { LaunchCost, LaunchQuote } from './schema.ts';

/** An address has 43 or 44 characters, nearly always 44. */
const LONGEST_ADDRESS = '1'.repeat(44);

/** The costs of a launch with the longest texts. */
export function publicCost(known: KnownCurveConfig, publicUrl: string, rentOf: RentOf): LaunchCost {
  const { parts, total } = costsOf(known, publicUrl, rentOf);
  return { ...parts, totalLamports: String(total) };
}

/** The same for a launch with a first buy. */
export function publicCostWithBuy(
  known: KnownCurveConfig,
  publicUrl: string,
  rentOf: RentOf,
): LaunchQuote['cost'] {
  const { parts, total } = costsOf(known, publicUrl, rentOf);
  const { token, wrapped } = firstBuyRent(tokenProgramOf(known), rentOf);
  return {
    ...parts,
    tokenAccountRentLamports: String(token),
    totalLamports: String(total + token),
    temporaryRentLamports: String(wrapped),
  };
}

function costsOf(known: KnownCurveConfig, publicUrl: string, rentOf: RentOf) {
  const uri = metadataUrl(publicUrl, LONGEST_ADDRESS);
  const textBytes = NAME_BYTES_MAX + SYMBOL_BYTES_MAX + Buffer.byteLength(uri);
  const tokenProgram = tokenProgramOf(known);
  const { poolCreationFee } = known.config;
  const costs = launchCosts({ tokenProgram, textBytes, poolCreationFee }, rentOf);
  const { rent, metadataFee, signatureFee } = costs;
  return {
    parts: {
      rentLamports: String(rent),
      metadataFeeLamports: String(metadataFee),
      signatureFeeLamports: String(signatureFee),
      poolCreationFeeLamports: String(costs.poolCreationFee),
    },
    total: rent + metadataFee + signatureFee + costs.poolCreationFee,
  };
}
