import bs58 from 'bs58';
import {
  ASSOCIATED_TOKEN,
  BONDING_CURVE,
  DAMM_V2,
  TOKEN_METADATA,
  WRAPPED_SOL_MINT,
} from '../../src/chain/accounts/programs.ts';
import { BorshWriter } from '../chain/programs/anchor/borsh.ts';
import { derivedAddress } from '../chain/programs/derived-address.ts';
import type { CurvePlan } from './curve-kinds.ts';

const FIRST_AMM_CONFIG = 20_000n;

interface PoolAddresses {
  readonly pool: string;
  readonly baseVault: string;
  readonly quoteVault: string;
}

/** Where a token trades: first on its curve, after its migration in the AMM pool. */
export interface LaunchAddresses extends PoolAddresses {
  readonly mint: string;
  readonly tokenProgram: string;
  readonly config: string;
  readonly amm: PoolAddresses & { readonly config: string };
}

export function launchAddresses(mint: string, config: string, plan: CurvePlan): LaunchAddresses {
  const index = new BorshWriter().u64(FIRST_AMM_CONFIG + BigInt(plan.migrationFee)).finish();
  const ammConfig = derivedAddress(DAMM_V2, 'config', index).address;
  return {
    mint,
    tokenProgram: plan.tokenProgram,
    config,
    ...poolAddresses(BONDING_CURVE, config, mint),
    amm: { config: ammConfig, ...poolAddresses(DAMM_V2, ammConfig, mint) },
  };
}

/** Both programs derive pools and vaults alike. */
function poolAddresses(program: string, config: string, mint: string): PoolAddresses {
  const mints = [mint, WRAPPED_SOL_MINT].map(bytesOf);
  mints.sort((one, other) => Buffer.compare(other, one));
  const pool = derivedAddress(program, 'pool', bytesOf(config), ...mints).address;
  const vault = (of: string) => derivedAddress(program, 'token_vault', bytesOf(of), bytesOf(pool)).address;
  return { pool, baseVault: vault(mint), quoteVault: vault(WRAPPED_SOL_MINT) };
}

/** The associated token account of a wallet. */
export function tokenAccountOf(owner: string, mint: string, tokenProgram: string): string {
  return derivedAddress(ASSOCIATED_TOKEN, ...[owner, tokenProgram, mint].map(bytesOf)).address;
}

export function metadataAddress(mint: string): string {
  return derivedAddress(TOKEN_METADATA, 'metadata', bytesOf(TOKEN_METADATA), bytesOf(mint)).address;
}

/** A migration takes this address. The account need not exist. */
export function migrationMetadataAddress(curvePool: string): string {
  return derivedAddress(BONDING_CURVE, 'damm_v2', bytesOf(curvePool)).address;
}

/** A position of the AMM, and the account of its NFT. */
export function positionAddresses(nftMint: string): { position: string; nftAccount: string } {
  const derived = (seed: string) => derivedAddress(DAMM_V2, seed, bytesOf(nftMint)).address;
  return { position: derived('position'), nftAccount: derived('position_nft_account') };
}

function bytesOf(address: string): Uint8Array {
  return bs58.decode(address);
}
