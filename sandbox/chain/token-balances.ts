import {
  decodeMint,
  decodeTokenAccount,
  isTokenProgram,
  type UiTokenAmount,
  uiTokenAmount,
} from './token-accounts.ts';
import type { StoredAccount } from './vm.ts';

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: UiTokenAmount;
}

/**
 * Token balances of a transaction's accounts, by index into its full key list. Only transactions that name a token
 * program have any, and accounts that are invoked as programs are skipped.
 */
export function tokenBalancesOf(
  keys: readonly string[],
  invoked: ReadonlySet<string>,
  getAccount: (address: string) => StoredAccount | null,
): TokenBalance[] {
  if (!keys.some(isTokenProgram)) return [];
  const balances: TokenBalance[] = [];
  for (const [accountIndex, key] of keys.entries()) {
    if (invoked.has(key) || isTokenProgram(key)) continue;
    const account = getAccount(key);
    const token = account === null ? null : decodeTokenAccount(account);
    if (account === null || token === null) continue;
    const mintAccount = getAccount(token.mint);
    const decimals = mintAccount === null ? undefined : decodeMint(mintAccount)?.decimals;
    if (decimals === undefined) continue;
    // Recorded balances say null instead of 0, unlike getTokenAccountBalance.
    const ui = uiTokenAmount(token.amount, decimals);
    balances.push({
      accountIndex,
      mint: token.mint,
      owner: token.owner,
      programId: account.owner,
      uiTokenAmount: token.amount === 0n ? { ...ui, uiAmount: null } : ui,
    });
  }
  return balances;
}
