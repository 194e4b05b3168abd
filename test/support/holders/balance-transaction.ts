import type { BalanceTransaction } from '../../../src/indexer/holders/apply-balances.ts';

export interface LeftBalance {
  account: string;
  owner: string;
  /** Null when the account was closed. */
  after: bigint | null;
}

/** A transaction with only balances. */
export function balanceTransaction(
  mintAddress: string,
  slot: bigint,
  transactionIndex: number,
  ...balances: LeftBalance[]
): BalanceTransaction {
  return {
    transactionIndex,
    transaction: {
      signature: `signature-${slot}-${transactionIndex}`,
      slot,
      blockTimeSeconds: 1_800_000_000n + slot,
      transactionIndex,
      failed: false,
      instructions: [],
      tokenBalances: balances.map(({ account, owner, after }) => ({
        accountAddress: account,
        mintAddress,
        ownerAddress: owner,
        beforeRaw: 0n,
        afterRaw: after,
      })),
    },
  };
}
