import { getAddressEncoder, getProgramDerivedAddress, type Address as KitAddress } from '@solana/kit';
import { ASSOCIATED_TOKEN, BONDING_CURVE, DAMM_V2, JUP_LOCK } from './programs.ts';

/**
 * Configs of DAMM v2 that bonding curves migrate into, by `migration_fee_option`: 0.25, 0.3, 1, 2, 4, 6 % and
 * customizable (public constants of Meteora's SDK; the same on mainnet and devnet).
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

/** The escrow of a pool's locked vesting at Jup Lock, and the token account it holds the tokens in. */
export async function vestingEscrowAddresses(
  poolAddress: string,
  mintAddress: string,
  tokenProgram: string,
): Promise<{ escrow: string; escrowToken: string }> {
  const base = await derive(BONDING_CURVE, ['base_locker', key(poolAddress)]);
  const escrow = await derive(JUP_LOCK, ['escrow', key(base)]);
  const escrowToken = await associatedTokenAddress(escrow, mintAddress, tokenProgram);
  return { escrow, escrowToken };
}

/** The account that holds a wallet's tokens of a mint by default. */
export function associatedTokenAddress(
  wallet: string,
  mintAddress: string,
  tokenProgram: string,
): Promise<string> {
  return derive(ASSOCIATED_TOKEN, [key(wallet), key(tokenProgram), key(mintAddress)]);
}

/** The DAMM v2 pool of a migrated curve and its vault of the base token; null for a fee option nobody published. */
export async function migratedPoolAddresses(
  baseMint: string,
  quoteMint: string,
  migrationFeeOption: number,
): Promise<{ pool: string; baseVault: string } | null> {
  const config = dammMigrationConfigs[migrationFeeOption];
  if (config === undefined) return null;
  const mints = [key(baseMint), key(quoteMint)].sort((left, right) => Buffer.compare(right, left));
  const pool = await derive(DAMM_V2, ['pool', key(config), ...mints]);
  return { pool, baseVault: await derive(DAMM_V2, ['token_vault', key(baseMint), key(pool)]) };
}

async function derive(program: string, seeds: (string | Uint8Array)[]): Promise<string> {
  const [address] = await getProgramDerivedAddress({ programAddress: program as KitAddress, seeds });
  return address;
}

const encoder = getAddressEncoder();

function key(address: string): Uint8Array {
  return Uint8Array.from(encoder.encode(address as KitAddress));
}
