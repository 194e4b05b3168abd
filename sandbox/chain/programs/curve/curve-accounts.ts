import { BONDING_CURVE } from '../../../../src/chain/accounts/programs.ts';
import {
  type CurveConfig,
  readCurveConfig,
  readCurveConfigKeys,
} from '../../../../src/chain/pools/curve/config-account.ts';
import {
  type CurvePool,
  readCurvePool,
  readCurvePoolKeys,
  writeCurvePool,
} from '../../../../src/chain/pools/curve/pool-account.ts';
import { type NamedAccount, requireAccount, requireStateOf, rewrite } from '../anchor/accounts.ts';
import { transferTokens } from '../cpi/token-program.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { loadMintDecimals } from '../token-state.ts';

/** Owns every vault of the curve's program, and signs for it. */
export const curvePoolAuthority = derivedAddress(BONDING_CURVE, 'pool_authority');

export type ConfigState = CurveConfig & NonNullable<ReturnType<typeof readCurveConfigKeys>>;
export type PoolState = CurvePool & NonNullable<ReturnType<typeof readCurvePoolKeys>>;

export function loadConfig(call: ProgramCall, account: NamedAccount): ConfigState {
  return requireStateOf(call, account, BONDING_CURVE, (stored) => {
    const fields = readCurveConfig(stored);
    const keys = readCurveConfigKeys(stored);
    return fields === null || keys === null ? null : { ...fields, ...keys };
  });
}

export function loadPool(call: ProgramCall, account: NamedAccount): PoolState {
  return requireStateOf(call, account, BONDING_CURVE, (stored) => {
    const fields = readCurvePool(stored);
    const keys = readCurvePoolKeys(stored);
    return fields === null || keys === null ? null : { ...fields, ...keys };
  });
}

/** Books a change of the pool's numbers. */
export function savePool(
  call: ProgramCall,
  account: NamedAccount,
  change: Partial<CurvePool>,
): Generator<Effect, void, void> {
  return rewrite(call, account, (data) => writeCurvePool(data, change));
}

/** The given accounts must be those of the pool. Their names are those of the interface. */
export function requirePoolAccounts(
  pool: PoolState,
  poolAccount: NamedAccount,
  given: {
    readonly config?: NamedAccount;
    readonly base_mint?: NamedAccount;
    readonly base_vault?: NamedAccount;
    readonly quote_vault?: NamedAccount;
    readonly creator?: NamedAccount;
  },
): void {
  const pairs: readonly (readonly [NamedAccount | undefined, string])[] = [
    [given.base_vault, pool.baseVault],
    [given.quote_vault, pool.quoteVault],
    [given.base_mint, pool.baseMint],
    [given.config, pool.config],
    [given.creator, pool.creator],
  ];
  for (const [account, address] of pairs)
    if (account !== undefined) requireAccount(account.address === address, 'ConstraintHasOne', poolAccount);
}

export function requirePoolAuthority(account: NamedAccount): void {
  requireAccount(account.address === curvePoolAuthority.address, 'ConstraintAddress', account);
}

/** Base tokens in the vault that protocol, partner and creator have not claimed. */
export function unclaimedBaseRaw(pool: PoolState): bigint {
  return pool.protocolBaseFee + pool.partnerBaseFee + pool.creatorBaseFee;
}

export function isComplete(pool: PoolState, config: ConfigState): boolean {
  return pool.quoteReserve >= config.migrationQuoteThreshold;
}

export function vestingTotalRaw(config: CurveConfig): bigint {
  return config.vestingCliffUnlockAmount + config.vestingAmountPerPeriod * config.vestingPeriods;
}

interface Payout {
  readonly vault: NamedAccount;
  readonly mint: NamedAccount;
  readonly to: NamedAccount;
  readonly tokenProgram: NamedAccount;
}

/** Pays tokens from a vault of the curve's program. */
export function payOut(call: ProgramCall, { vault, mint, to, tokenProgram }: Payout, amount: bigint): Effect {
  return transferTokens({
    tokenProgram: tokenProgram.address,
    from: vault.address,
    to: to.address,
    mint: mint.address,
    decimals: loadMintDecimals(call, mint),
    amount,
    authority: curvePoolAuthority,
  });
}
