import type { Database } from '../../../src/db/client.ts';
import { newAddress } from '../market/ingest-stream.ts';

export interface PendingLaunch {
  accountId: string;
  intentId: string;
  creatorWallet?: string;
  poolAddress?: string;
  mintAddress?: string;
}

/** Inserts a prepared launch with its unlisted token. Returns the id of the launch. */
export async function insertLaunch(
  db: Database,
  { accountId, intentId, creatorWallet = newAddress(), poolAddress = newAddress(), ...more }: PendingLaunch,
): Promise<string> {
  const [id, mint] = [Bun.randomUUIDv7(), more.mintAddress ?? newAddress()];
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, listed,
      created_at, updated_at)
    values (${mint}, ${creatorWallet}, 'Wire', 'WIRE', 6, 1, 'dbc', 'pending_launch_init', false, now(), now())`;
  await db`
    insert into launches (id, account_id, intent_id, mint_address, status, creator_wallet, name, symbol, metadata_url,
      config_name, config_address, pool_address, created_at)
    values (${id}, ${accountId}, ${intentId}, ${mint}, 'pending_launch_init', ${creatorWallet}, 'Wire', 'WIRE',
      'https://api.test', 'standard', ${newAddress()}, ${poolAddress}, now())`;
  return id;
}
