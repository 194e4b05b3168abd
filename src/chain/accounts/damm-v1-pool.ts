import { accountLayout, type FieldsOf } from './account-layout.ts';
import { DAMM_V1 } from './programs.ts';

/** The only curve type that is read. */
const CONSTANT_PRODUCT = 0;
const CURVE_TYPE_BYTES_MIN = 1;
const CURVE_TYPE = 874;

// sha256('account:Pool')[..8], the same as in DAMM v2. Offsets are from the public IDL. The fields after the
// curve type depend on it.
export const dammV1PoolShape = {
  program: DAMM_V1,
  discriminators: ['f19a6d0411b16dbc'],
  bytesMin: CURVE_TYPE + CURVE_TYPE_BYTES_MIN,
};

const poolFields = {
  tokenAMint: [40, 'address'],
  tokenBMint: [72, 'address'],
  /** The dynamic vaults. Each holds the tokens of many pools. */
  aVault: [104, 'address'],
  bVault: [136, 'address'],
  /** Token accounts that hold the pool's shares of the two vaults. */
  aVaultLp: [168, 'address'],
  bVaultLp: [200, 'address'],
  curveType: [CURVE_TYPE, 'u8'],
} as const;

/** A DAMM v1 pool: it owns shares of two vaults, not tokens. */
export type DammV1Pool = FieldsOf<typeof poolFields>;

/** Null when the account is no DAMM v1 pool. */
export const readDammV1Pool = accountLayout(dammV1PoolShape, poolFields).read;

export function isConstantProduct({ curveType }: DammV1Pool): boolean {
  return curveType === CONSTANT_PRODUCT;
}
