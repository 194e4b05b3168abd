import { type DammPool, readDammPool } from '../../../chain/accounts/damm-pool.ts';
import { migratedPoolAddresses, vestingEscrowAddresses } from '../../../chain/accounts/derived-addresses.ts';
import { readMint } from '../../../chain/accounts/mint.ts';
import { type PoolConfig, readPoolConfig } from '../../../chain/accounts/pool-config.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../../chain/accounts/programs.ts';
import { readTokenBalance } from '../../../chain/accounts/token-account.ts';
import { readVirtualPool, type VirtualPool } from '../../../chain/accounts/virtual-pool.ts';
import type { AccountsInSlot } from '../../../chain/rpc/account-calls.ts';
import type { Holding, NamedVault, SupplyReads } from './buckets.ts';
import type { SupplyVaults } from './find-supply-token.ts';

/** Accounts that may hold the supply of one token. The quote vault holds none, so it is not among them. */
export interface SupplyAddresses {
  mint: string;
  pool: string;
  /** The fields below are read from the pool and its config; null: not readable, or the pool has none. */
  config: string | null;
  baseVault: string | null;
  escrow: { escrow: string; escrowToken: string } | null;
  amm: { pool: string; baseVault: string } | null;
}

const DAMM_V2_MIGRATION = 1;

/** Derives the addresses of a pool. They never change, so callers keep them once the config was read. */
export async function supplyAddresses(
  mint: string,
  poolAddress: string,
  pool: VirtualPool | null,
  config: PoolConfig | null,
): Promise<SupplyAddresses> {
  const known = { mint, pool: poolAddress, config: pool?.config ?? null, baseVault: pool?.baseVault ?? null };
  if (pool === null || config === null) return { ...known, escrow: null, amm: null };
  const tokenProgram = pool.baseIsToken2022 ? TOKEN_2022 : SPL_TOKEN;
  return {
    ...known,
    escrow:
      config.vesting.totalRaw > 0n ? await vestingEscrowAddresses(poolAddress, mint, tokenProgram) : null,
    amm:
      config.migrationOption === DAMM_V2_MIGRATION
        ? await migratedPoolAddresses(mint, config.quoteMint, config.migrationFeeOption)
        : null,
  };
}

/** Lists the accounts that one snapshot reads. */
export function snapshotAddresses(
  { mint, pool, config, baseVault, escrow, amm }: SupplyAddresses,
  { staking, tokenomics }: SupplyVaults,
): string[] {
  const all = [mint, pool, config, baseVault, escrow?.escrow, escrow?.escrowToken, amm?.pool, amm?.baseVault];
  const known = all.filter((address) => typeof address === 'string');
  return [...new Set([...known, ...staking, ...tokenomics])];
}

/** The content of a snapshot, with the pool that the curve migrated to. */
export interface SnapshotReads extends SupplyReads {
  amm: { address: string; state: DammPool } | null;
}

/** All accounts with a token's supply, in one slot. */
export interface SupplySnapshot {
  addresses: SupplyAddresses;
  vaults: SupplyVaults;
  read: AccountsInSlot;
}

/**
 * Reads a snapshot. An account counts as unread when it is foreign, malformed, or missing where it must
 * exist.
 */
export function readSnapshot(
  { addresses, vaults, read: { accounts } }: SupplySnapshot,
  now: Date,
): SnapshotReads {
  const account = (address: string | null) => (address === null ? null : (accounts.get(address) ?? null));
  const holding = (address: string | null): Holding | null => {
    const balanceRaw = readTokenBalance(account(address), addresses.mint);
    return address === null || balanceRaw === null ? null : { address, balanceRaw };
  };
  const pool = poolOf(addresses, accounts);
  const config = readPoolConfig(account(addresses.config));
  const amm = ammOf(addresses, accounts);
  const mayBeClosed = unlockedAtMs(pool, config) <= BigInt(now.getTime());
  return {
    mint: readMint(account(addresses.mint)),
    pool,
    config,
    baseVault: holding(addresses.baseVault),
    escrow: readEscrow(addresses.escrow, accounts, holding, mayBeClosed),
    amm,
    ammVault: holding(amm?.state.vault ?? null),
    vaults: vaultsOf(vaults, ownAccounts(addresses), (address) =>
      accounts.get(address) === null ? { address, balanceRaw: 0n } : holding(address),
    ),
    ammProtocolFeeRaw: amm?.state.protocolFeeRaw ?? null,
  };
}

/** A pool of another token, or one that names accounts outside the snapshot, is not this token's pool. */
function poolOf(addresses: SupplyAddresses, accounts: AccountsInSlot['accounts']): VirtualPool | null {
  const pool = readVirtualPool(accounts.get(addresses.pool) ?? null);
  const matches =
    pool !== null &&
    pool.baseMint === addresses.mint &&
    pool.config === addresses.config &&
    pool.baseVault === addresses.baseVault;
  return matches ? pool : null;
}

/**
 * An escrow can be closed once its recipient has everything, which takes the whole vesting time: before that
 * a missing account is a failed read, afterwards it holds nothing.
 */
function readEscrow(
  escrow: SupplyAddresses['escrow'],
  accounts: AccountsInSlot['accounts'],
  holding: (address: string) => Holding | null,
  mayBeClosed: boolean,
): Holding | null {
  if (escrow === null) return null;
  const isGone = [escrow.escrow, escrow.escrowToken].every((address) => accounts.get(address) === null);
  if (isGone && mayBeClosed) return { address: escrow.escrowToken, balanceRaw: 0n };
  return holding(escrow.escrowToken);
}

/** Token accounts of other buckets: a vault that is one of them is counted there. */
function ownAccounts({ baseVault, escrow, amm }: SupplyAddresses): readonly (string | null)[] {
  return [baseVault, escrow?.escrowToken ?? null, amm?.baseVault ?? null];
}

/** A vault that does not exist (not yet created, or closed) holds nothing. */
function vaultsOf(
  { staking, tokenomics }: SupplyVaults,
  counted: readonly (string | null)[],
  holding: (address: string) => Holding | null,
): NamedVault[] {
  const named = (key: NamedVault['key'], addresses: readonly string[]) =>
    addresses
      .filter((address) => !counted.includes(address))
      .map((address) => ({ key, address, balanceRaw: holding(address)?.balanceRaw ?? null }));
  // Two reports may have named one account for both purposes.
  const others = tokenomics.filter((address) => !staking.includes(address));
  return [...named('staking_vault', staking), ...named('tokenomics_vault', others)];
}

function ammOf({ amm, mint }: SupplyAddresses, accounts: AccountsInSlot['accounts']): SnapshotReads['amm'] {
  if (amm === null) return null;
  const state = readDammPool(accounts.get(amm.pool) ?? null, mint);
  return state === null ? null : { address: amm.pool, state };
}

function unlockedAtMs(pool: VirtualPool | null, config: PoolConfig | null): bigint {
  return ((pool?.finishCurveTimestamp ?? 0n) + (config?.vesting.durationSeconds ?? 0n)) * 1_000n;
}
