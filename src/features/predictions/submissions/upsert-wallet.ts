import type { Transaction } from '../../../db/client.ts';
import type { Clock } from '../../../shared/clock.ts';

/** Facts about a wallet that predictions need (contract/predictions#wallets). */
export interface WalletRecord {
  address: string;
  username: string | null;
  verified: boolean;
}

/**
 * Creates or changes a wallet in the caller's transaction. Undefined fields keep their value; in a new wallet
 * they mean no name and unverified.
 */
export async function upsertWallet(
  transaction: Transaction,
  clock: Clock,
  {
    address,
    username,
    verified,
  }: { address: string; username?: string | undefined; verified?: boolean | undefined },
): Promise<WalletRecord> {
  const now = clock.now();
  const [row] = await transaction<WalletRecord[]>`
    insert into wallets as w (address, username, verified, created_at, updated_at)
    values (${address}, ${username ?? null}, ${verified ?? false}, ${now}, ${now})
    on conflict (address) do update set username = coalesce(${username ?? null}, w.username),
      verified = coalesce(${verified ?? null}, w.verified), updated_at = ${now}
    returning address, username, verified`;
  if (row === undefined) throw new Error(`wallet ${address} was neither inserted nor updated`);
  return row;
}
