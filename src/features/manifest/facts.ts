import {
  BONDING_CURVE,
  DAMM_V1,
  DAMM_V2,
  JUP_LOCK,
  SPL_TOKEN,
  TOKEN_2022,
} from '../../chain/accounts/programs.ts';
import type { Manifest } from './schema.ts';

/** Wrapped SOL, the quote token of every launch. */
export const nativeMint = 'So11111111111111111111111111111111111111112';

export const tokenPrograms: Manifest['tokenPrograms'] = [
  { name: 'spl_token', address: SPL_TOKEN },
  { name: 'token_2022', address: TOKEN_2022 },
];

/** Programs of launches and trades (reference/solana#programs); the same on mainnet and devnet. */
export const programs: Manifest['programs'] = [
  { name: 'meteora_dynamic_bonding_curve', address: BONDING_CURVE },
  { name: 'meteora_damm_v1', address: DAMM_V1 },
  { name: 'meteora_damm_v2', address: DAMM_V2 },
  { name: 'jup_lock', address: JUP_LOCK },
  { name: 'metaplex_token_metadata', address: 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' },
];

export const commitments: Manifest['commitments'] = {
  reads: 'confirmed',
  balances: 'finalized',
  submissions: 'confirmed',
};
