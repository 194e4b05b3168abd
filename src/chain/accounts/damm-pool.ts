import { type ChainAccount, fieldsOfShape } from './account-data.ts';
import { DAMM_V2 } from './programs.ts';

/** State of a DAMM v2 pool, seen from one of its two tokens. */
export interface DammPool {
  /** The pool's vault for the token. */
  vault: string;
  /** Protocol fee in the token that nobody has claimed yet. It is part of the vault's balance. */
  protocolFeeRaw: bigint;
  /** All liquidity of the pool, and the part that can never be withdrawn, in the program's own unit. */
  liquidity: bigint;
  permanentlyLockedLiquidity: bigint;
  positionCount: number;
}

// sha256('account:Pool')[..8]; offsets from the public IDL (8 + 1104 bytes).
export const dammPoolShape = { program: DAMM_V2, discriminators: ['f19a6d0411b16dbc'], bytesMin: 8 + 1104 };

const TOKEN_A_MINT = 168;
const TOKEN_B_MINT = 200;
const TOKEN_A_VAULT = 232;
const TOKEN_B_VAULT = 264;
const LIQUIDITY = 360;
const PROTOCOL_A_FEE = 392;
const PROTOCOL_B_FEE = 400;
const PERMANENTLY_LOCKED = 552;
const POSITION_COUNT = 632;

/**
 * The pool in an account, seen from `mintAddress`. Null when the account is no pool, or a pool of other
 * tokens.
 */
export function readDammPool(account: ChainAccount | null, mintAddress: string): DammPool | null {
  const fields = fieldsOfShape(account, dammPoolShape);
  if (fields === null) return null;
  const isA = fields.address(TOKEN_A_MINT) === mintAddress;
  if (!isA && fields.address(TOKEN_B_MINT) !== mintAddress) return null;
  return {
    vault: fields.address(isA ? TOKEN_A_VAULT : TOKEN_B_VAULT),
    protocolFeeRaw: fields.u64(isA ? PROTOCOL_A_FEE : PROTOCOL_B_FEE),
    liquidity: fields.u128(LIQUIDITY),
    permanentlyLockedLiquidity: fields.u128(PERMANENTLY_LOCKED),
    positionCount: Number(fields.u64(POSITION_COUNT)),
  };
}

/** The two mints of a pool, A first. Empty when the account is no pool. */
export function readPoolMints(account: ChainAccount | null): string[] {
  const fields = fieldsOfShape(account, dammPoolShape);
  return fields === null ? [] : [fields.address(TOKEN_A_MINT), fields.address(TOKEN_B_MINT)];
}
