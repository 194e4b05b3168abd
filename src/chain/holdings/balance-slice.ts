import { encodeBase58 } from '../../shared/base58.ts';
import {
  AMOUNT_OFFSET,
  BALANCE_BYTES,
  TOKEN_ACCOUNT_BYTES,
  TOKEN_ACCOUNT_KIND,
} from '../accounts/token-account.ts';

/** A token account of the mint with a balance above zero. */
export interface TokenBalance {
  /** Base58. */
  owner: string;
  amountRaw: bigint;
}

/** Token-2022 pads accounts and mints so that none has the length of a multisignature account. */
const MULTISIG_BYTES = 355;
const MINT_BYTES = 82;
/** One byte more than a multisignature account, so that the slice shows whether an account is longer. */
export const TOKEN_2022_SLICE_BYTES = MULTISIG_BYTES + 1;

/** A balance, and the account for which the node listed it. */
export interface ListedBalance extends TokenBalance {
  accountAddress: string;
}

export type SliceReading = { ok: true; balance: TokenBalance | null } | { ok: false; reason: string };

/**
 * Reads the first bytes of an account that a node listed for a mint: `BALANCE_BYTES` under SPL Token, up to
 * `TOKEN_2022_SLICE_BYTES` under Token-2022. The balance is null when the account holds nothing. Not ok when
 * the bytes cannot be those of a token account of the mint.
 */
export function readBalanceSlice(
  data: Buffer,
  mint: Uint8Array,
  tokenProgram: 'spl_token' | 'token_2022',
): SliceReading {
  if (data.length < 32 || data.compare(mint, 0, 32, 0, 32) !== 0)
    return { ok: false, reason: 'an account is of another mint' };
  if (tokenProgram === 'token_2022') {
    // Anybody can make a mint or a multisignature account that begins like a token account of a chosen mint.
    // It holds nothing.
    if (data.length === MINT_BYTES || data.length === MULTISIG_BYTES) return { ok: true, balance: null };
    if (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] !== TOKEN_ACCOUNT_KIND)
      return { ok: true, balance: null };
  }
  const isWhole =
    tokenProgram === 'spl_token'
      ? data.length === BALANCE_BYTES
      : data.length >= TOKEN_ACCOUNT_BYTES && data.length <= TOKEN_2022_SLICE_BYTES;
  if (!isWhole) return { ok: false, reason: 'an account has the wrong length' };
  const amountRaw = data.readBigUInt64LE(AMOUNT_OFFSET);
  const balance = amountRaw === 0n ? null : { owner: encodeBase58(data.subarray(32, 64)), amountRaw };
  return { ok: true, balance };
}
