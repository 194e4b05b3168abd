import type { Transaction } from '../../../db/client.ts';

/** A token account of the response. */
export interface StagedAccount {
  owner: string;
  amountRaw: bigint;
}

/** A wallet in the order of the file. */
export interface RankedHolder {
  rank: bigint;
  walletAddress: string;
  balanceRaw: string;
}

/** Deletes accounts that an earlier run or the response of another node left. */
export async function clearAccounts(transaction: Transaction, operationId: string): Promise<void> {
  await transaction`delete from operation_token_accounts where operation_id = ${operationId}`;
}

export async function stageAccounts(
  transaction: Transaction,
  operationId: string,
  accounts: readonly StagedAccount[],
): Promise<void> {
  await transaction`
    insert into operation_token_accounts (operation_id, wallet_address, amount_raw)
    select ${operationId}, wallet_address, amount_raw from unnest(
      ${accounts.map(({ owner }) => owner)}::text[],
      ${accounts.map(({ amountRaw }) => amountRaw.toString())}::numeric[]
    ) as account (wallet_address, amount_raw)`;
}

/**
 * Adds the accounts up by wallet, ranks the requested wallets, and deletes the accounts. Returns the number
 * of wallets.
 */
export async function rankHolders(
  transaction: Transaction,
  operationId: string,
  { minimumBalanceRaw = '1', top = null }: { minimumBalanceRaw?: string; top?: number | null },
): Promise<bigint> {
  const { count } = await transaction`
    insert into operation_holders (operation_id, rank, wallet_address, balance_raw)
    select ${operationId}, row_number() over (order by balance_raw desc, wallet_address collate "C"),
      wallet_address, balance_raw
    from (
      select wallet_address, sum(amount_raw) as balance_raw from operation_token_accounts
      where operation_id = ${operationId} group by wallet_address
    ) as holder
    where balance_raw >= ${minimumBalanceRaw}::numeric
    order by balance_raw desc, wallet_address collate "C" limit ${top}`;
  await clearAccounts(transaction, operationId);
  return BigInt(count);
}

/** Wallets by rank, after `afterRank`. */
export async function listHolders(
  transaction: Transaction,
  operationId: string,
  afterRank: bigint,
  limit: number,
): Promise<RankedHolder[]> {
  return transaction<RankedHolder[]>`
    select rank, wallet_address, balance_raw from operation_holders
    where operation_id = ${operationId} and rank > ${afterRank} order by rank limit ${limit}`;
}

/** Deletes every row that an export needs while it runs. */
export async function cleanUpAudienceExport(transaction: Transaction, operationId: string): Promise<void> {
  await clearAccounts(transaction, operationId);
  await transaction`delete from operation_holders where operation_id = ${operationId}`;
}
