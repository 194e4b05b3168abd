import { getProgramDerivedAddress, type Address as KitAddress } from '@solana/kit';
import { addressBytes } from '../../shared/address.ts';
import type { PoolConfig } from './pool-config.ts';
import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  DAMM_V1,
  DAMM_V2,
  DYNAMIC_VAULT,
  JUP_LOCK,
  TOKEN_METADATA,
} from './programs.ts';

/**
 * Configs of DAMM v2 into which bonding curves migrate, by `migration_fee_option`: 0.25, 0.3, 1, 2, 4, 6 %
 * and customizable (public constants of Meteora's SDK, the same on mainnet and devnet).
 */
const dammMigrationConfigs: readonly string[] = [
  '7F6dnUcRuyM2TwR8myT1dYypFXpPSxqwKNSFNkxyNESd',
  '2nHK1kju6XjphBLbNxpM5XRGFj7p9U8vvNzyZiha1z6k',
  'Hv8Lmzmnju6m7kcokVKvwqz7QPmdX9XfKjJsXz8RXcjp',
  '2c4cYd4reUYVRAB9kUUkrq55VPyy2FNQ3FDL4o12JXmq',
  'AkmQWebAwFvWk55wBoCr5D62C6VVDTzi84NJuD9H7cFD',
  'DbCRBj8McvPYHJG1ukj8RE15h2dCNUdTAESG49XpQ44u',
  'A8gMrEPJkacWkcb3DGwtJwTe16HktSEfvwtuDh2MCtck',
];

/** The configs of DAMM v1 by the same option. There is no customizable one. */
const dammV1MigrationConfigs: readonly string[] = [
  '8f848CEy8eY6PhJ3VcemtBDzPPSD4Vq7aJczLZ3o8MmX',
  'HBxB8Lf14Yj8pqeJ8C4qDb5ryHL7xwpuykz31BLNYr7S',
  '7v5vBdUQHTNeqk1HnduiXcgbvCyVEZ612HLmYkQoAkik',
  'EkvP7d5yKxovj884d2DwmBQbrHUWRLGK6bympzrkXGja',
  '9EZYAJrcqNWNQzP2trzZesP7XKMHA1jEomHzbRsdX8R2',
  '8cdKo87jZU2R12KY1BUjjRPwyjgdNjLGqSGQyrDshhud',
];

/** The AMM pool that gets the liquidity of a completed curve. */
export interface MigrationTarget {
  ammProgram: string;
  ammConfigAddress: string;
  ammPoolAddress: string;
}

/**
 * The AMM pool of a curve, derived from its config before the pool exists (reference/solana#migrations). Null
 * for an AMM or a fee option that is not published: only the migration itself shows the address then.
 */
export async function migrationTarget(
  {
    migrationOption,
    migrationFeeOption,
    quoteMint,
  }: Pick<PoolConfig, 'migrationOption' | 'migrationFeeOption'> & { quoteMint: string },
  baseMint: string,
): Promise<MigrationTarget | null> {
  const amm = amms[migrationOption];
  const config = amm?.configs[migrationFeeOption];
  if (amm === undefined || config === undefined) return null;
  const ammPoolAddress = await derive(
    amm.program,
    amm.seeds(addressBytes(config), largerFirst(baseMint, quoteMint)),
  );
  return { ammProgram: amm.program, ammConfigAddress: config, ammPoolAddress };
}

const DAMM_V2_OPTION = 1;
/** Indexed by the `migration_option` of a curve's config. */
const amms: readonly {
  program: string;
  configs: readonly string[];
  seeds(config: Uint8Array, mints: Uint8Array[]): (string | Uint8Array)[];
}[] = [
  { program: DAMM_V1, configs: dammV1MigrationConfigs, seeds: (config, mints) => [...mints, config] },
  { program: DAMM_V2, configs: dammMigrationConfigs, seeds: (config, mints) => ['pool', config, ...mints] },
];

/** Every program sorts the mints of a pool by their bytes. */
function largerFirst(left: string, right: string): Uint8Array[] {
  return [addressBytes(left), addressBytes(right)].sort((a, b) => Buffer.compare(b, a));
}

/** The escrow of a pool's locked vesting at Jup Lock, and the escrow's token account. */
export async function vestingEscrowAddresses(
  poolAddress: string,
  mintAddress: string,
  tokenProgram: string,
): Promise<{ escrow: string; escrowToken: string }> {
  const base = await derive(BONDING_CURVE, ['base_locker', addressBytes(poolAddress)]);
  const escrow = await derive(JUP_LOCK, ['escrow', addressBytes(base)]);
  const escrowToken = await associatedTokenAddress(escrow, mintAddress, tokenProgram);
  return { escrow, escrowToken };
}

/** The base key from which DAMM v1 derives its vaults. */
const DYNAMIC_VAULT_BASE = 'HWzXGcGHy4tcpYfaRDCyLNzXqBTv3E6BttpCH2vJxArv';

/** The vault that holds a mint's tokens for DAMM v1 pools. The vault owns its token account. */
export function dammV1VaultAddress(mintAddress: string): Promise<string> {
  return derive(DYNAMIC_VAULT, ['vault', addressBytes(mintAddress), addressBytes(DYNAMIC_VAULT_BASE)]);
}

/** The account with the state of a curve's migration to DAMM v1. It may not exist. */
export function dammV1MigrationAddress(curvePool: string): Promise<string> {
  return derive(BONDING_CURVE, ['meteora', addressBytes(curvePool)]);
}

/** The default token account of a wallet for a mint. */
export function associatedTokenAddress(
  wallet: string,
  mintAddress: string,
  tokenProgram: string,
): Promise<string> {
  return derive(ASSOCIATED_TOKEN, [
    addressBytes(wallet),
    addressBytes(tokenProgram),
    addressBytes(mintAddress),
  ]);
}

/** The DAMM v2 pool of a migrated curve, and its base vault. Null for a fee option that is not published. */
export async function migratedPoolAddresses(
  baseMint: string,
  quoteMint: string,
  migrationFeeOption: number,
): Promise<{ pool: string; baseVault: string } | null> {
  const target = await migrationTarget(
    { migrationOption: DAMM_V2_OPTION, migrationFeeOption, quoteMint },
    baseMint,
  );
  if (target === null) return null;
  const pool = target.ammPoolAddress;
  return { pool, baseVault: await tokenVaultAddress(DAMM_V2, baseMint, pool) };
}

/** The account in which a pool of a curve or of DAMM v2 holds a mint. */
export function tokenVaultAddress(program: string, mint: string, pool: string): Promise<string> {
  return derive(program, ['token_vault', addressBytes(mint), addressBytes(pool)]);
}

/** The token account that holds the NFT of a DAMM v2 position. Its owner owns the position. */
export function positionNftAccount(nftMint: string): Promise<string> {
  return derive(DAMM_V2, ['position_nft_account', addressBytes(nftMint)]);
}

/** The DAMM v2 position of an NFT. */
export function positionAddress(nftMint: string): Promise<string> {
  return derive(DAMM_V2, ['position', addressBytes(nftMint)]);
}

export interface CurvePoolAddresses {
  pool: string;
  baseVault: string;
  quoteVault: string;
}

/**
 * The addresses of the pool that a mint gets under a config, derived before the pool exists
 * (reference/solana#curve-addresses).
 */
export async function curvePoolAddresses(
  config: string,
  baseMint: string,
  quoteMint: string,
): Promise<CurvePoolAddresses> {
  const mints = largerFirst(baseMint, quoteMint);
  const pool = await derive(BONDING_CURVE, ['pool', addressBytes(config), ...mints]);
  const vault = (mint: string) => tokenVaultAddress(BONDING_CURVE, mint, pool);
  const [baseVault, quoteVault] = await Promise.all([vault(baseMint), vault(quoteMint)]);
  return { pool, baseVault, quoteVault };
}

/** The address that signs for every pool of a program, and the one that signs its events. */
export async function programAuthorities(
  program: string,
): Promise<{ poolAuthority: string; eventAuthority: string }> {
  const [poolAuthority, eventAuthority] = await Promise.all([
    derive(program, ['pool_authority']),
    derive(program, ['__event_authority']),
  ]);
  return { poolAuthority, eventAuthority };
}

/** The account of the token-metadata program for a mint of the SPL Token program. */
export function metadataAddress(mint: string): Promise<string> {
  return derive(TOKEN_METADATA, ['metadata', addressBytes(TOKEN_METADATA), addressBytes(mint)]);
}

async function derive(program: string, seeds: (string | Uint8Array)[]): Promise<string> {
  const [address] = await getProgramDerivedAddress({ programAddress: program as KitAddress, seeds });
  return address;
}
