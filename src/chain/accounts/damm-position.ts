import { fieldsOf } from './account-data.ts';
import { accountLayout } from './account-layout.ts';
import { DAMM_V2 } from './programs.ts';

/** A DAMM v2 position account (public IDL): sha256('account:Position')[..8], 8 + 400 bytes. */
export const POSITION_DISCRIMINATOR = Uint8Array.from([0xaa, 0xbc, 0x8f, 0xe4, 0x7a, 0x40, 0xf7, 0xd0]);
export const POSITION_BYTES = 8 + 400;
/** Offset of the pool of a position. */
export const POSITION_POOL_OFFSET = 8;
/** The u128 of liquidity that the owner may withdraw now, without vested and permanently locked liquidity. */
export const UNLOCKED_LIQUIDITY_OFFSET = 152;
export const UNLOCKED_LIQUIDITY_BYTES = 16;

/** Reads a position's slice at `UNLOCKED_LIQUIDITY_OFFSET`. Throws RangeError when it is too short. */
export function readUnlockedLiquidity(slice: Uint8Array): bigint {
  return fieldsOf(slice).u128(0);
}

const positionFields = {
  pool: [POSITION_POOL_OFFSET, 'address'],
  nftMint: [40, 'address'],
  feeAPerLiquidityCheckpoint: [72, 'u256'],
  feeBPerLiquidityCheckpoint: [104, 'u256'],
  feeAPending: [136, 'u64'],
  feeBPending: [144, 'u64'],
  unlockedLiquidity: [UNLOCKED_LIQUIDITY_OFFSET, 'u128'],
  vestedLiquidity: [168, 'u128'],
  permanentlyLockedLiquidity: [184, 'u128'],
  totalClaimedAFee: [200, 'u64'],
  totalClaimedBFee: [208, 'u64'],
} as const;

const position = accountLayout(
  {
    program: DAMM_V2,
    discriminators: [Buffer.from(POSITION_DISCRIMINATOR).toString('hex')],
    bytesMin: POSITION_BYTES,
  },
  positionFields,
);

/**
 * Liquidity of a position, and its raw fees as of the last instruction that touched it. Null when the account
 * is no position.
 */
export const readDammPosition = position.read;
/** Writes fields into the bytes of a position account. */
export const writeDammPosition = position.write;
