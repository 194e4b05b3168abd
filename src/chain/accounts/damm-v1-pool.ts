import { accountLayout, type FieldsOf } from './account-layout.ts';
import { DAMM_V1 } from './programs.ts';

/** How a pool sets its price; any other kind is not read. */
const CONSTANT_PRODUCT = 0;
const CURVE_TYPE_BYTES_MIN = 1;
const CURVE_TYPE = 874;

// sha256('account:Pool')[..8], which DAMM v2 has too; offsets from the public IDL. What follows the kind depends on it.
export const dammV1PoolShape = {
  program: DAMM_V1,
  discriminators: ['f19a6d0411b16dbc'],
  bytesMin: CURVE_TYPE + CURVE_TYPE_BYTES_MIN,
};

const poolFields = {
  tokenAMint: [40, 'address'],
  tokenBMint: [72, 'address'],
  /** Dynamic vaults that hold the pool's tokens together with those of others. */
  aVault: [104, 'address'],
  bVault: [136, 'address'],
  /** Token accounts with the pool's shares of these vaults. */
  aVaultLp: [168, 'address'],
  bVaultLp: [200, 'address'],
  curveType: [CURVE_TYPE, 'u8'],
} as const;

/** A DAMM v1 pool: it owns shares of two vaults, not tokens. */
export type DammV1Pool = FieldsOf<typeof poolFields>;

/** Null when the account is no pool of DAMM v1. */
export const readDammV1Pool = accountLayout(dammV1PoolShape, poolFields).read;

export function isConstantProduct({ curveType }: DammV1Pool): boolean {
  return curveType === CONSTANT_PRODUCT;
}
