import { BEFORE_NEWEST } from '../../db/account-list.ts';
import type { Queryable } from '../../db/client.ts';
import { type KeysetPage, keysetPage } from '../../db/keyset-page.ts';

/** An account in the operators' view. */
export interface AccountOverview {
  id: string;
  createdAt: Date;
  /** Neither revoked nor expired. */
  usableKeys: number;
  /** Wallets that the keys are pinned to, revoked keys included. */
  wallets: string[];
}

export type AccountPosition = readonly [id: string];

/** Lists accounts, newest first; with a wallet only those that have a key for it. */
export async function listAccounts(
  db: Queryable,
  {
    wallet,
    limit,
    after = BEFORE_NEWEST,
    now,
  }: { wallet?: string | undefined; limit: number; after?: AccountPosition | undefined; now: Date },
): Promise<KeysetPage<AccountOverview, AccountPosition>> {
  const ofWallet =
    wallet === undefined
      ? db``
      : db`and exists (select from api_keys where account_id = account.id and wallet_address = ${wallet})`;
  const [beforeId] = after;
  const rows = await db<AccountOverview[]>`
    select account.id, account.created_at, keys.usable as usable_keys, keys.wallets
    from accounts account cross join lateral (
      select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > ${now}))::int as usable,
        coalesce(array_agg(distinct wallet_address), '{}') as wallets
      from api_keys where account_id = account.id
    ) keys
    where account.id < ${beforeId} ${ofWallet}
    order by account.id desc limit ${limit + 1}`;
  return keysetPage(
    rows,
    limit,
    (row) => row,
    ({ id }) => [id],
  );
}

export async function accountExists(db: Queryable, accountId: string): Promise<boolean> {
  return (await db`select from accounts where id = ${accountId}`).count === 1;
}
