import type { Queryable, Transaction } from '../../db/client.ts';

/** The balance of a token account after a transaction, or in a snapshot. */
export interface AccountBalance {
  mintAddress: string;
  accountAddress: string;
  owner: string;
  amountRaw: bigint;
  slot: bigint;
  /** Index of the transaction in its block. */
  place: number;
}

/**
 * Stores balances that are later on the chain than the stored ones, at most one for each account. The caller
 * has locked the tokens.
 */
export async function keepBalances(
  transaction: Transaction,
  balances: readonly AccountBalance[],
): Promise<void> {
  const column = <Key extends keyof AccountBalance>(key: Key) => balances.map((one) => one[key]);
  await transaction`
    insert into holder_accounts as h (mint_address, account_address, owner_address, balance_raw, slot, place)
    select * from unnest(${column('mintAddress')}::text[], ${column('accountAddress')}::text[],
      ${column('owner')}::text[], ${column('amountRaw').map(String)}::numeric[], ${column('slot').map(String)}::int8[],
      ${column('place')}::int4[])
    on conflict (mint_address, account_address) do update set owner_address = excluded.owner_address,
      balance_raw = excluded.balance_raw, slot = excluded.slot, place = excluded.place
    where (h.slot, h.place) < (excluded.slot, excluded.place)`;
}

/** Deletes accounts that are missing from a snapshot of this slot, unless they are newer. */
export async function dropAccounts(
  transaction: Transaction,
  mintAddress: string,
  accounts: readonly string[],
  slot: bigint,
): Promise<void> {
  await transaction`
    delete from holder_accounts
    where mint_address = ${mintAddress} and account_address = any(${accounts as string[]}) and slot <= ${slot}`;
}

/** Stored accounts of a token after the key `after`, in key order. */
export function listAccounts(
  db: Queryable,
  mintAddress: string,
  after: string,
  limit: number,
): Promise<{ accountAddress: string; ownerAddress: string; balanceRaw: string; slot: bigint }[]> {
  return db<{ accountAddress: string; ownerAddress: string; balanceRaw: string; slot: bigint }[]>`
    select account_address, owner_address, balance_raw, slot from holder_accounts
    where mint_address = ${mintAddress} and account_address > ${after} order by account_address limit ${limit}`;
}

/** Deletes some accounts of a token that is not followed. Returns their number. */
export async function dropUnfollowed(db: Queryable, mintAddress: string, limit: number): Promise<number> {
  const { count } = await db`
    delete from holder_accounts where mint_address = ${mintAddress} and account_address in (
      select account_address from holder_accounts where mint_address = ${mintAddress} limit ${limit})`;
  return count;
}
