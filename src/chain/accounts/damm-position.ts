import { fieldsOf } from './account-data.ts';

/** A DAMM v2 position account (public IDL): sha256('account:Position')[..8], 8 + 400 bytes. */
export const POSITION_DISCRIMINATOR = Uint8Array.from([0xaa, 0xbc, 0x8f, 0xe4, 0x7a, 0x40, 0xf7, 0xd0]);
export const POSITION_BYTES = 8 + 400;
/** The pool a position belongs to. */
export const POSITION_POOL_OFFSET = 8;
/** The u128 of liquidity its owner may withdraw now; vested and permanently locked liquidity are apart. */
export const UNLOCKED_LIQUIDITY_OFFSET = 152;
export const UNLOCKED_LIQUIDITY_BYTES = 16;

/** Reads the slice of a position at `UNLOCKED_LIQUIDITY_OFFSET`. Throws RangeError when it is short. */
export function readUnlockedLiquidity(slice: Uint8Array): bigint {
  return fieldsOf(slice).u128(0);
}
