import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import { basisPointsToNumerator } from '../../../../src/chain/pools/base-fee.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import type { Address } from '../../../../src/shared/address.ts';
import { sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { derivedAddress } from '../derived-address.ts';
import type { ProgramModel } from '../model.ts';
import { CONFIG_BYTES, configTypes, dammConfigLayout } from './config-account.ts';
import { collectFeeModes } from './liquidity-amounts.ts';

/** Rent of a config account. */
const LAMPORTS = 3_173_760n;
const FIRST_INDEX = 20_000n;
const PERCENT_TO_OTHERS = 20;

interface MigrationTerms {
  /** The account that may open pools with these configs: the pool authority of the curve's program. */
  readonly poolCreatorAuthority: string;
  /** Fees of the fixed configs in basis points. One config that leaves the fee open follows them. */
  readonly fixedFeeBps: readonly bigint[];
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
}

/** The configs that curves migrate into, under the addresses that they have on every cluster. */
export function migrationConfigs(terms: MigrationTerms): NonNullable<ProgramModel['accounts']> {
  const { poolCreatorAuthority, fixedFeeBps, sqrtMinPrice, sqrtMaxPrice } = terms;
  const creator = { poolCreatorAuthority: poolCreatorAuthority as Address };
  const fixed = fixedFeeBps.map((bps) => ({
    ...creator,
    cliffFeeNumerator: basisPointsToNumerator(bps),
    protocolFeePercent: PERCENT_TO_OTHERS,
    referralFeePercent: PERCENT_TO_OTHERS,
    activationType: activationTypes.timestamp,
    collectFeeMode: collectFeeModes.tokenB,
    sqrtMinPrice,
    sqrtMaxPrice,
  }));
  return [...fixed, { ...creator, configType: configTypes.dynamic }].map((fields, position) => {
    const index = FIRST_INDEX + BigInt(position);
    const data = new Uint8Array(CONFIG_BYTES);
    data.set(sighash('account', 'Config'));
    dammConfigLayout.write(data, { ...fields, index });
    return {
      address: derivedAddress(DAMM_V2, 'config', new BorshWriter().u64(index).finish()).address,
      account: { lamports: LAMPORTS, owner: DAMM_V2, data, executable: false, rentEpoch: 0n },
    };
  });
}
