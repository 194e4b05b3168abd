import bs58 from 'bs58';
import type { StoredAccount } from '../../sandbox/chain/vm.ts';

export const NATIVE_MINT = 'So11111111111111111111111111111111111111112';
const ACCOUNT_BYTES = 165;
const MINT_BYTES = 82;
/** Rent of a token account, which a native one holds besides its balance. */
const ACCOUNT_RENT = 2_039_280n;
const MINT_RENT = 1_461_600n;

/** A token account for the chain. The lamports of a native one follow from its amount. */
export function tokenAccount(
  mint: string,
  owner: string,
  amount: bigint,
  tokenProgram: string,
): StoredAccount {
  const data = Buffer.alloc(ACCOUNT_BYTES);
  data.set(bs58.decode(mint), 0);
  data.set(bs58.decode(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  const isNative = mint === NATIVE_MINT;
  if (isNative) {
    data[109] = 1;
    data.writeBigUInt64LE(ACCOUNT_RENT, 113);
  }
  const lamports = isNative ? ACCOUNT_RENT + amount : ACCOUNT_RENT;
  return { lamports, owner: tokenProgram, data: Uint8Array.from(data), executable: false, rentEpoch: 0n };
}

/** A mint without a mint authority. */
export function mintAccount(decimals: number, supply: bigint, tokenProgram: string): StoredAccount {
  const data = Buffer.alloc(MINT_BYTES);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = 1;
  const account = { executable: false, rentEpoch: 0n };
  return { ...account, lamports: MINT_RENT, owner: tokenProgram, data: Uint8Array.from(data) };
}

export function tokenAmount(account: StoredAccount | null): bigint {
  return Buffer.from(account?.data ?? []).readBigUInt64LE(64);
}
