import {
  BONDING_CURVE,
  DAMM_V1,
  DAMM_V2,
  JUP_LOCK,
  SPL_TOKEN,
  TOKEN_2022,
  TOKEN_METADATA,
} from '../../chain/accounts/programs.ts';
import type { Manifest } from './schema.ts';

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
  { name: 'metaplex_token_metadata', address: TOKEN_METADATA },
];

export const commitments: Manifest['commitments'] = {
  reads: 'confirmed',
  balances: 'finalized',
  submissions: 'confirmed',
};
