import { DAMM_V2, TOKEN_2022 } from '../../../../src/chain/accounts/programs.ts';
import { writeDammPoolKeys, writeDammPoolState } from '../../../../src/chain/pools/damm/pool-account.ts';
import type { Address } from '../../../../src/shared/address.ts';
import { ZERO_ADDRESS } from '../../zero-address.ts';
import type { NamedAccount } from '../anchor/accounts.ts';
import { sighash } from '../anchor/anchor-program.ts';
import { event } from '../cpi/invoke.ts';
import type { Effect } from '../effects.ts';
import type { openingAmounts } from './liquidity-amounts.ts';
import { feeFields, type PoolFees, writePoolFees } from './pool-rules.ts';

export const POOL_BYTES = 8 + 1104;
const FEE_VERSION = 1;
const LAYOUT_VERSION = 1;
export const poolTypes = { permissionless: 0, customizable: 1 } as const;

/** The accounts of a new pool. */
interface NewPoolAccounts {
  readonly creator: NamedAccount;
  readonly payer: NamedAccount;
  readonly pool: NamedAccount;
  readonly token_a_mint: NamedAccount;
  readonly token_b_mint: NamedAccount;
  readonly token_a_vault: NamedAccount;
  readonly token_b_vault: NamedAccount;
  readonly token_a_program: NamedAccount;
  readonly token_b_program: NamedAccount;
}

/** The terms of a new pool, by a config or by its creator. */
export interface PoolTerms {
  readonly fees: PoolFees;
  readonly sqrtMinPrice: bigint;
  readonly sqrtMaxPrice: bigint;
  readonly liquidity: bigint;
  readonly sqrtPrice: bigint;
  readonly activationType: number;
  readonly activationPoint: bigint | null;
  readonly collectFeeMode: number;
  readonly poolType: number;
  readonly protocolFeePercent: number;
  readonly referralFeePercent: number;
  readonly seeds: readonly (string | Uint8Array)[];
  /** The least that is sent of either token, which proves that the payer holds it. */
  readonly sentWhenNone: bigint;
}

export function poolData(
  accounts: NewPoolAccounts,
  terms: PoolTerms,
  opening: ReturnType<typeof openingAmounts>,
  activationPoint: bigint,
): Uint8Array {
  const data = new Uint8Array(POOL_BYTES);
  data.set(sighash('account', 'Pool'));
  writeDammPoolKeys(data, {
    tokenAMint: accounts.token_a_mint.address as Address,
    tokenBMint: accounts.token_b_mint.address as Address,
    tokenAVault: accounts.token_a_vault.address as Address,
    tokenBVault: accounts.token_b_vault.address as Address,
    creator: accounts.creator.address as Address,
  });
  writeDammPoolState(data, {
    ...feeFields(terms.fees),
    protocolFeePercent: terms.protocolFeePercent,
    referralFeePercent: terms.referralFeePercent,
    initSqrtPrice: opening.sqrtPrice,
    liquidity: terms.liquidity,
    sqrtMinPrice: opening.sqrtMinPrice,
    sqrtMaxPrice: opening.sqrtMaxPrice,
    sqrtPrice: opening.sqrtPrice,
    activationPoint,
    activationType: terms.activationType,
    tokenAFlag: flagOf(accounts.token_a_program),
    tokenBFlag: flagOf(accounts.token_b_program),
    collectFeeMode: terms.collectFeeMode,
    poolType: terms.poolType,
    feeVersion: FEE_VERSION,
    totalPosition: 1n,
    tokenAAmount: opening.a,
    tokenBAmount: opening.b,
    layoutVersion: LAYOUT_VERSION,
  });
  return data;
}

function flagOf(tokenProgram: NamedAccount): number {
  return tokenProgram.address === TOKEN_2022 ? 1 : 0;
}

export function poolEvent(
  accounts: NewPoolAccounts,
  terms: PoolTerms,
  opening: ReturnType<typeof openingAmounts>,
  activationPoint: bigint,
  sent: readonly bigint[],
): Effect {
  // The event of a pool with a config holds the config's range, also where the pool has another one.
  const range = terms.poolType === poolTypes.permissionless ? terms : opening;
  return event(DAMM_V2, 'EvtInitializePool', (to) =>
    to
      .address(accounts.pool.address, accounts.token_a_mint.address, accounts.token_b_mint.address)
      .address(accounts.creator.address, accounts.payer.address, ZERO_ADDRESS)
      .bytes(writePoolFees(terms.fees))
      .u128(range.sqrtMinPrice, range.sqrtMaxPrice)
      .u8(terms.activationType, terms.collectFeeMode)
      .u128(terms.liquidity, opening.sqrtPrice)
      .u64(activationPoint)
      .u8(flagOf(accounts.token_a_program), flagOf(accounts.token_b_program))
      .u64(opening.a, opening.b, ...sent)
      .u8(terms.poolType),
  );
}
