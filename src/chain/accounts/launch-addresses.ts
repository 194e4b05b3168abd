import { getAddressEncoder, getProgramDerivedAddress, type Address as KitAddress } from '@solana/kit';
import { BONDING_CURVE, TOKEN_METADATA } from './programs.ts';

/** Accounts of a pool on the bonding curve. */
export interface CurvePoolAddresses {
  pool: string;
  baseVault: string;
  quoteVault: string;
}

/** Where the pool of a mint is, under a config: known before it exists (reference/solana#curve-addresses). */
export async function curvePoolAddresses(
  config: string,
  baseMint: string,
  quoteMint: string,
): Promise<CurvePoolAddresses> {
  const mints = [baseMint, quoteMint].map(key).sort((left, right) => Buffer.compare(right, left));
  const pool = await derive(BONDING_CURVE, ['pool', key(config), ...mints]);
  const vault = (mint: string) => derive(BONDING_CURVE, ['token_vault', key(mint), key(pool)]);
  const [baseVault, quoteVault] = await Promise.all([vault(baseMint), vault(quoteMint)]);
  return { pool, baseVault, quoteVault };
}

/** What signs for every pool of a program, and what signs its events. */
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
  return derive(TOKEN_METADATA, ['metadata', key(TOKEN_METADATA), key(mint)]);
}

async function derive(program: string, seeds: (string | Uint8Array)[]): Promise<string> {
  const [address] = await getProgramDerivedAddress({ programAddress: program as KitAddress, seeds });
  return address;
}

const encoder = getAddressEncoder();

function key(address: string): Uint8Array {
  return Uint8Array.from(encoder.encode(address as KitAddress));
}
