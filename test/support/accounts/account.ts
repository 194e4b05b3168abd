import { Keypair } from '@solana/web3.js';
import type { Database } from '../../../src/db/client.ts';
import { unpublishedLimits } from '../../../src/shared/contract-limits.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { insertRows } from '../rows/insert-rows.ts';
import { insertIntents, insertLaunches, insertOrders, insertSlots, type OwnIntent } from './intents.ts';
import { insertOperations } from './operations.ts';
import { addressOf, type Owner } from './owner.ts';
import { insertPredictions } from './predictions.ts';
import type { PublicGround } from './public-ground.ts';
import { insertStakes } from './stakes.ts';
import { insertStoredResponses } from './stored-responses.ts';
import { insertWebhooks } from './webhooks.ts';

/** Kinds of resources whose ids a request can name. */
export const resources = [
  'intent',
  'launch',
  'slot',
  'order',
  'operation',
  'endpoint',
  'delivery',
  'event',
  'prediction',
  'key',
] as const;
export type Resource = (typeof resources)[number];

/** An account with every kind of resource, in every state. */
export interface Account extends Owner {
  key: TestKey;
  otherKey: TestKey;
  ids: Record<Resource, string[]>;
  intents: ReadonlyMap<string, OwnIntent>;
}

/** @param isFull true fills the account up to every limit */
export async function createAccount(db: Database, ground: PublicGround, isFull: boolean): Promise<Account> {
  const owner = { wallet: Keypair.generate(), otherWallet: Keypair.generate(), mark: newMark() };
  const key = await createTestKey(db, { walletAddress: addressOf(owner.wallet) });
  const { accountId } = key;
  const otherKey = await createTestKey(db, { walletAddress: addressOf(owner.otherWallet), accountId });
  const spareKey = () => createTestKey(db, { walletAddress: addressOf(owner.wallet), accountId });
  const spare = [(await spareKey()).keyId, (await spareKey()).keyId];
  const account = { ...owner, accountId };
  await db`update api_keys set name = ${`key ${account.mark}`} where account_id = ${accountId}`;
  await insertRows(
    db,
    'wallets',
    [owner.wallet, owner.otherWallet].map((wallet) => ({
      address: addressOf(wallet),
      username: `user ${account.mark}`,
      verified: true,
      createdAt: new Date(),
      updatedAt: new Date(),
    })),
  );
  // Later than any use in a test, which therefore changes none of them.
  const lastUsedAt = new Date(Date.now() + 86_400_000);
  await insertRows(
    db,
    'api_key_uses',
    [key.keyId, otherKey.keyId].map((keyId) => ({ keyId, lastUsedAt })),
  );
  await insertRows(db, 'platform_fee_accounts', [
    { accountId, address: addressOf(Keypair.generate()), createdAt: new Date(), updatedAt: new Date() },
  ]);
  await insertImages(db, accountId, isFull ? unpublishedLimits.imagesPerDay : 1);
  const intents = await insertIntents(db, account);
  const launch = await insertLaunches(db, account);
  const slot = await insertSlots(db, account);
  const order = await insertOrders(db, account, slot[1] ?? '', ground.mint);
  const operation = await insertOperations(db, account, ground, isFull);
  const prediction = await insertPredictions(db, account, ground);
  const intent = [...intents.keys()];
  const subjects = { intent, order, operation, prediction };
  const webhooks = await insertWebhooks(db, account, subjects, isFull);
  await insertStakes(db, account, ground);
  if (isFull) await insertStakes(db, account, ground.elsewhere);
  await insertStoredResponses(db, account);
  const ids = { intent, launch, slot, order, operation, prediction, ...webhooks, key: spare };
  return { ...account, key, otherKey, intents, ids };
}

/** Creates an account that has only a key. Other accounts may have keys for the same wallet. */
export async function createNeighbour(db: Database, wallet: Keypair): Promise<TestKey> {
  return await createTestKey(db, { walletAddress: addressOf(wallet) });
}

/** Images that no request of a test uploads. */
async function insertImages(db: Database, accountId: string, count: number): Promise<void> {
  await db`
    insert into images (account_id, source_hash, hash, content_type, width, height, byte_length, created_at)
    select ${accountId}, lpad(to_hex(n), 64, '0'), lpad(to_hex(n), 64, '0'), 'image/png', 1, 1, 1, now()
    from generate_series(1, ${count}) n`;
}

const newMark = () => `mark${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}`;
