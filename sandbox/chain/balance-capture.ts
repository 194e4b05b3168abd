import { type TokenBalance, tokenBalancesOf } from './token-balances.ts';
import type { StoredAccount } from './vm.ts';
import type { WireMessage } from './wire-message.ts';

/** Balances of every account of a transaction at one moment, in key order. */
export interface BalanceCapture {
  readonly lamports: readonly bigint[];
  readonly tokens: readonly TokenBalance[];
}

/** Balances as `getAccount` sees them; `keys` are all of the transaction's, loaded ones included. */
export function captureBalances(
  message: WireMessage,
  keys: readonly string[],
  getLamports: (address: string) => bigint,
  getAccount: (address: string) => StoredAccount | null,
): BalanceCapture {
  const invoked = new Set(message.instructions.map((one) => message.staticKeys[one.programIdIndex] ?? ''));
  return { lamports: keys.map(getLamports), tokens: tokenBalancesOf(keys, invoked, getAccount) };
}
