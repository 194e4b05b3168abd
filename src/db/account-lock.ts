import type { Transaction } from './client.ts';

/**
 * Locks an account until the transaction ends: of those that lock it, one at a time counts what the account holds and adds to it. Not `for
 * update`: the foreign key of each submission would wait for it.
 */
export async function lockAccount(transaction: Transaction, accountId: string): Promise<void> {
  await transaction`select from accounts where id = ${accountId} for no key update`;
}
