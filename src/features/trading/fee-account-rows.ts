import type { Database, Queryable } from '../../db/client.ts';

/** The account that gets the platform fees of a customer. */
export interface FeeAccount {
  accountId: string;
  address: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The fee account of a customer; null when none is registered. */
export async function findFeeAccount(db: Queryable, accountId: string): Promise<FeeAccount | null> {
  const [row] = await db<FeeAccount[]>`
    select account_id, address, created_at, updated_at from platform_fee_accounts
    where account_id = ${accountId}`;
  return row ?? null;
}

/** Registers or replaces it. Null when the customer does not exist. */
export async function setFeeAccount(
  database: Database,
  { accountId, address, now }: { accountId: string; address: string; now: Date },
): Promise<FeeAccount | null> {
  const [row] = await database<FeeAccount[]>`
    insert into platform_fee_accounts (account_id, address, created_at, updated_at)
    select id, ${address}, ${now}, ${now} from accounts where id = ${accountId}
    on conflict (account_id) do update set address = excluded.address, updated_at = excluded.updated_at
    returning account_id, address, created_at, updated_at`;
  return row ?? null;
}

/** Returns what was registered; null when nothing was. */
export async function removeFeeAccount(database: Database, accountId: string): Promise<FeeAccount | null> {
  const [row] = await database<FeeAccount[]>`
    delete from platform_fee_accounts where account_id = ${accountId}
    returning account_id, address, created_at, updated_at`;
  return row ?? null;
}
