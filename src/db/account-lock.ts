import type { Transaction } from './client.ts';

/**
 * Locks an account until the transaction ends, so that transactions count the account's rows and add to them
 * one at a time. Not `for update`: the foreign key of each submission would wait for it.
 */
export async function lockAccount(transaction: Transaction, accountId: string): Promise<void> {
  await transaction`select from accounts where id = ${accountId} for no key update`;
}
