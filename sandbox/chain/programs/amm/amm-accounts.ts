import { accountLayout, type FieldsOf } from '../../../../src/chain/accounts/account-layout.ts';
import { POSITION_BYTES } from '../../../../src/chain/accounts/damm-position.ts';
import { DAMM_V2 } from '../../../../src/chain/accounts/programs.ts';
import {
  type DammPoolState,
  readDammPoolKeys,
  readDammPoolState,
  writeDammPoolState,
} from '../../../../src/chain/pools/damm/pool-account.ts';
import { U64_MAX } from '../../../../src/chain/pools/fixed-point.ts';
import {
  type NamedAccount,
  readonly,
  readonlyTokens,
  requireAccount,
  requireStateOf,
  rewrite,
  signer,
  tokenAccount,
  tokenInterface,
  writableStateOf,
} from '../anchor/accounts.ts';
import { notComputed } from '../anchor/anchor-program.ts';
import { transferTokens } from '../cpi/token-program.ts';
import { derivedAddress } from '../derived-address.ts';
import type { Effect } from '../effects.ts';
import type { ProgramCall } from '../model.ts';
import { loadMintDecimals, loadTokenAccount, requireVault } from '../token-state.ts';
import { requireAmm } from './amm-errors.ts';

const fields = {
  pool: [8, 'address'],
  nftMint: [40, 'address'],
  feeACheckpoint: [72, 'u256'],
  feeBCheckpoint: [104, 'u256'],
  feeAPending: [136, 'u64'],
  feeBPending: [144, 'u64'],
  unlockedLiquidity: [152, 'u128'],
  vestedLiquidity: [168, 'u128'],
  permanentLockedLiquidity: [184, 'u128'],
  totalClaimedAFee: [200, 'u64'],
  totalClaimedBFee: [208, 'u64'],
} as const;

export type PositionState = FieldsOf<typeof fields>;

// sha256('account:Position')[..8].
export const positionLayout = accountLayout(
  { program: DAMM_V2, discriminators: ['aabc8fe47a40f7d0'], bytesMin: POSITION_BYTES },
  fields,
);

/** The pending fees of a position, with those earned since its checkpoints. */
export function settledFees(position: PositionState, pool: DammPoolState): Partial<PositionState> {
  const liquidity = position.unlockedLiquidity + position.vestedLiquidity + position.permanentLockedLiquidity;
  // Fees for each unit of liquidity count in 2^-128.
  const earned = (now: bigint, before: bigint) => (liquidity * (now - before)) >> 128n;
  const feeAPending = position.feeAPending + earned(pool.feeAPerLiquidity, position.feeACheckpoint);
  const feeBPending = position.feeBPending + earned(pool.feeBPerLiquidity, position.feeBCheckpoint);
  requireAmm(feeAPending <= U64_MAX && feeBPending <= U64_MAX, 'MathOverflow');
  return {
    feeACheckpoint: pool.feeAPerLiquidity,
    feeBCheckpoint: pool.feeBPerLiquidity,
    feeAPending,
    feeBPending,
  };
}

/** Owns every vault of the AMM, and signs for it. */
export const ammPoolAuthority = derivedAddress(DAMM_V2, 'pool_authority');

export type PoolState = DammPoolState & NonNullable<ReturnType<typeof readDammPoolKeys>>;

/** The accounts with which the owner of a position moves tokens between it and the pool, after the pool itself. */
export const positionDemands = {
  position: writableStateOf('Position'),
  token_a_account: tokenAccount,
  token_b_account: tokenAccount,
  token_a_vault: tokenAccount,
  token_b_vault: tokenAccount,
  token_a_mint: readonlyTokens,
  token_b_mint: readonlyTokens,
  position_nft_account: readonlyTokens,
  owner: signer,
  token_a_program: tokenInterface,
  token_b_program: tokenInterface,
  event_authority: readonly,
  program: readonly,
} as const;

const REWARD_FLAGS = [728, 920] as const;

export function requirePoolAuthority(account: NamedAccount): void {
  requireAccount(account.address === ammPoolAuthority.address, 'ConstraintAddress', account);
}

export function loadPool(call: ProgramCall, account: NamedAccount): PoolState {
  return requireStateOf(call, account, DAMM_V2, (stored) => {
    const fields = readDammPoolState(stored);
    const keys = readDammPoolKeys(stored);
    return fields === null || keys === null ? null : { ...fields, ...keys };
  });
}

export function savePool(
  call: ProgramCall,
  account: NamedAccount,
  change: Partial<DammPoolState>,
): Generator<Effect, void, void> {
  return rewrite(call, account, (data) => writeDammPoolState(data, change));
}

/** Refuses a pool with farming rewards: they depend on its liquidity. */
export function requireNoRewards(call: ProgramCall, pool: NamedAccount): void {
  const data = call.account(pool.address)?.data;
  if (REWARD_FLAGS.some((offset) => (data?.[offset] ?? 0) !== 0))
    throw notComputed('pools with farming rewards');
}

/** The two sides of a pool as an instruction names them. */
export interface PoolSides {
  readonly pool: NamedAccount;
  readonly token_a_vault: NamedAccount;
  readonly token_b_vault: NamedAccount;
  readonly token_a_mint: NamedAccount;
  readonly token_b_mint: NamedAccount;
  readonly token_a_program: NamedAccount;
  readonly token_b_program: NamedAccount;
}

/** Mints and vaults must be those of the pool. */
export function requireSides(call: ProgramCall, pool: PoolState, sides: PoolSides): void {
  const isOfPool =
    sides.token_a_mint.address === pool.tokenAMint && sides.token_b_mint.address === pool.tokenBMint;
  requireAccount(isOfPool, 'ConstraintHasOne', sides.pool);
  requireVaults(call, pool, sides);
}

/** The vaults must be those of the pool. A swap checks its mints only against the vaults. */
export function requireVaults(call: ProgramCall, pool: PoolState, sides: PoolSides): void {
  const { token_a_vault: vaultA, token_b_vault: vaultB } = sides;
  const isOfPool = vaultA.address === pool.tokenAVault && vaultB.address === pool.tokenBVault;
  requireAccount(isOfPool, 'ConstraintHasOne', sides.pool);
  requireVault(call, vaultA, sides.token_a_mint, sides.token_a_program);
  requireVault(call, vaultB, sides.token_b_mint, sides.token_b_program);
}

/** Vault, mint and program of one side, ready for a transfer. */
export function sideOf(call: ProgramCall, sides: PoolSides, side: 'a' | 'b') {
  const [vault, mint, program] =
    side === 'a'
      ? [sides.token_a_vault, sides.token_a_mint, sides.token_a_program]
      : [sides.token_b_vault, sides.token_b_mint, sides.token_b_program];
  const decimals = loadMintDecimals(call, mint);
  return { vault: vault.address, mint: mint.address, tokenProgram: program.address, decimals };
}

export function fromPool(
  call: ProgramCall,
  sides: PoolSides,
  side: 'a' | 'b',
  to: string,
  amount: bigint,
): Effect {
  const { vault, ...token } = sideOf(call, sides, side);
  return transferTokens({ ...token, from: vault, to, amount, authority: ammPoolAuthority });
}

export function intoPool(
  call: ProgramCall,
  sides: PoolSides,
  side: 'a' | 'b',
  from: string,
  owner: string,
  amount: bigint,
): Effect {
  const { vault, ...token } = sideOf(call, sides, side);
  return transferTokens({ ...token, from, to: vault, amount, authority: owner });
}

/** A position of the pool that the signer owns: whoever holds the position's NFT. */
export function loadOwnPosition(
  call: ProgramCall,
  accounts: {
    readonly pool: NamedAccount;
    readonly position: NamedAccount;
    readonly position_nft_account: NamedAccount;
    readonly owner: NamedAccount;
  },
): PositionState {
  const { pool, position: account, position_nft_account: nftAccount, owner } = accounts;
  const position = requireStateOf(call, account, DAMM_V2, positionLayout.read);
  requireAccount(position.pool === pool.address, 'ConstraintHasOne', account);
  const nft = loadTokenAccount(call, nftAccount);
  requireAccount(nft.mint === position.nftMint && nft.amount === 1n, 'ConstraintRaw', nftAccount);
  requireAccount(nft.owner === owner.address, 'ConstraintTokenOwner', nftAccount);
  return position;
}

export function savePosition(
  call: ProgramCall,
  account: NamedAccount,
  change: Partial<PositionState>,
): Generator<Effect, void, void> {
  return rewrite(call, account, (data) => positionLayout.write(data, change));
}
