import { accountLayout, type FieldsOf } from '../../../../src/chain/accounts/account-layout.ts';
import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import { basisPointsToNumerator } from '../../../../src/chain/pools/base-fee.ts';
import { activationTypes } from '../../../../src/chain/pools/swap-request.ts';
import type { Address } from '../../../../src/shared/address.ts';
import { type NamedAccount, requireStateOf } from '../anchor/accounts.ts';
import { sighash } from '../anchor/anchor-program.ts';
import { BorshWriter } from '../anchor/borsh.ts';
import { derivedAddress } from '../derived-address.ts';
import type { ProgramCall, ProgramModel } from '../model.ts';
import { collectFeeModes } from './liquidity-amounts.ts';

export const CONFIG_BYTES = 8 + 320;
/** A static config fixes the terms of its pools. A dynamic one only names who may open them. */
export const configTypes = { static: 0, dynamic: 1 } as const;

const fields = {
  vaultConfigKey: [8, 'address'],
  poolCreatorAuthority: [40, 'address'],
  cliffFeeNumerator: [72, 'u64'],
  baseFeeMode: [80, 'u8'],
  firstFactor: [86, 'u16'],
  secondFactor: [88, 'u64'],
  thirdFactor: [96, 'u64'],
  hasDynamicFee: [104, 'u8'],
  maxVolatilityAccumulator: [112, 'u32'],
  variableFeeControl: [116, 'u32'],
  binStep: [120, 'u16'],
  filterPeriod: [122, 'u16'],
  decayPeriod: [124, 'u16'],
  reductionFactor: [126, 'u16'],
  binStepQ64: [136, 'u128'],
  protocolFeePercent: [152, 'u8'],
  referralFeePercent: [154, 'u8'],
  compoundingFeeBps: [158, 'u16'],
  activationType: [200, 'u8'],
  collectFeeMode: [201, 'u8'],
  configType: [202, 'u8'],
  index: [208, 'u64'],
  sqrtMinPrice: [216, 'u128'],
  sqrtMaxPrice: [232, 'u128'],
} as const;

export type DammConfig = FieldsOf<typeof fields>;

// sha256('account:Config')[..8].
const dammConfigLayout = accountLayout(
  { program: DAMM_V2, discriminators: ['9b0caae01efacc82'], bytesMin: CONFIG_BYTES },
  fields,
);

export function loadDammConfig(call: ProgramCall, account: NamedAccount): DammConfig {
  return requireStateOf(call, account, DAMM_V2, dammConfigLayout.read);
}

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
