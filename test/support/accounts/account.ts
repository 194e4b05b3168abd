import { Keypair } from '@solana/web3.js';
import type { Database } from '../../../src/db/client.ts';
import { createTestKey, type TestKey } from '../api/api-keys.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { signatureOf } from '../market/market-arbitraries.ts';
import { insertRows } from '../rows/insert-rows.ts';
import { fillAccount, insertImages } from './full-account.ts';
import { insertIntents, insertLaunches, insertOrders, insertSlots, type OwnIntent } from './intents.ts';
import { insertOperations } from './operations.ts';
import { addressOf, type Owner } from './owner.ts';
import type { PublicGround, StakedToken } from './public-ground.ts';
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
  await insertImages(db, account, 1);
  const intents = await insertIntents(db, account);
  const launch = await insertLaunches(db, account);
  const slot = await insertSlots(db, account);
  const order = await insertOrders(db, account, slot[1] ?? '', ground.mint);
  const operation = await insertOperations(db, account, ground);
  const prediction = await insertPredictions(db, account, ground);
  const intent = [...intents.keys()];
  const subjects = { intent, order, operation, prediction };
  const webhooks = await insertWebhooks(db, account, subjects);
  await insertStakes(db, account, ground);
  if (isFull) await insertStakes(db, account, ground.elsewhere);
  if (isFull) await fillAccount(db, { ...account, mint: ground.mint });
  await insertStoredResponses(db, account);
  const ids = { intent, launch, slot, order, operation, prediction, ...webhooks, key: spare };
  return { ...account, key, otherKey, intents, ids };
}

/** Creates an account that has only a key. Other accounts may have keys for the same wallet. */
export async function createNeighbour(db: Database, wallet: Keypair): Promise<TestKey> {
  return await createTestKey(db, { walletAddress: addressOf(wallet) });
}

const newMark = () => `mark${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}`;

const HOUR_MS = 3_600_000;

/** Inserts predictions in every state, and a used and an unused delegated intent that the wallet has
 * signed. */
async function insertPredictions(
  db: Database,
  { accountId, wallet, mark }: Owner,
  { rounds }: PublicGround,
): Promise<string[]> {
  const shared = {
    accountId,
    walletAddress: addressOf(wallet),
    username: mark,
    predictedPriceInSol: '1',
    evaluationSlot: 1n,
    balanceRaw: '5',
    submittedAt: new Date(),
    rank: null as number | null,
    distancePpm: null as string | null,
    payoutLamports: null as string | null,
  };
  const [taken] = await db<{ rank: number }[]>`
    select coalesce(max(rank), 0) as rank from predictions where round_id = ${rounds.settled}`;
  const result = { rank: (taken?.rank ?? 0) + 1, distancePpm: '1', payoutLamports: '1' };
  const rows = [
    { ...shared, id: Bun.randomUUIDv7(), roundId: rounds.open, status: 'accepted' },
    { ...shared, id: Bun.randomUUIDv7(), roundId: rounds.settled, status: 'settled', ...result },
    { ...shared, id: Bun.randomUUIDv7(), roundId: rounds.voided, status: 'voided' },
  ];
  await insertRows(db, 'predictions', rows);
  const ids = rows.map(({ id }) => id);
  await insertRows(
    db,
    'prediction_intents',
    [ids[2], null].map((consumedBy) => ({
      id: Bun.randomUUIDv7(),
      accountId,
      roundId: rounds.delegated,
      walletAddress: addressOf(wallet),
      predictedPriceInSol: '1',
      signature: Buffer.alloc(64, 1),
      expiresAt: new Date(Date.now() + HOUR_MS),
      createdAt: new Date(),
      consumedBy,
    })),
  );
  return ids;
}

let numbers = 700_000;

/** The shares of an account's wallet in a token: stakes, fees to claim, and its part in the presale. */
async function insertStakes(
  db: Database,
  { wallet }: Owner,
  { mint: mintAddress, presaleId }: StakedToken,
): Promise<void> {
  const walletAddress = addressOf(wallet);
  const number = numbers++;
  const observed = { slot: 1n, asOf: new Date() };
  const amount = String(number);
  await insertRows(db, 'staking_positions', [
    {
      id: Bun.randomUUIDv7(),
      positionAddress: newAddress(),
      mintAddress,
      walletAddress,
      stakedRaw: amount,
      pendingRewardsRaw: amount,
      claimedRewardsRaw: '0',
      stakedAt: new Date(),
      ...observed,
    },
  ]);
  await insertRows(db, 'staking_totals', [
    { mintAddress, walletAddress, stakedRaw: amount, stakedSince: new Date() },
  ]);
  await insertRows(db, 'fee_claimables', [
    { mintAddress, walletAddress, claimableLamports: amount, ...observed },
  ]);
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const sums = { depositedLamports: amount, refundedLamports: '0', claimedRaw: '0' };
  await insertRows(db, 'presale_participations', [
    { presaleId, walletAddress, status: 'deposited', ...sums, ...times },
  ]);
  await insertRows(db, 'presale_movements', [
    {
      transactionSignature: signatureOf(number),
      instructionIndex: 0,
      presaleId,
      kind: 'deposit',
      walletAddress,
      amount,
      slot: 1n,
      blockTime: new Date(),
    },
  ]);
}
