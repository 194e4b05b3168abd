import type { Database } from '../../../src/db/client.ts';
import { launchStatuses } from '../../../src/db/values/launches.ts';
import { orderSlotStatuses } from '../../../src/db/values/order-slots.ts';
import { orderStatuses } from '../../../src/db/values/orders.ts';
import { intentStatuses } from '../../../src/db/values/transaction-intents.ts';
import { createPreparedIntent, type PreparedIntent, signWith } from '../intents/intents.ts';
import { insertLaunch } from '../launches/insert-launch.ts';
import { signatureOf } from '../market/market-arbitraries.ts';
import { insertOrder } from '../orders/insert-order.ts';
import { insertSlot } from '../orders/insert-slot.ts';
import { insertRows } from '../rows/insert-rows.ts';
import { addressOf, type Owner } from './owner.ts';

/** An intent with its signed transaction. */
export interface OwnIntent extends PreparedIntent {
  /** Base64 of the transaction, signed. */
  signed: string;
}

const EXPIRES_IN_MS = 3_600_000;
let signatures = 900_000;

export async function insertIntent(db: Database, { accountId, wallet }: Owner): Promise<OwnIntent> {
  const intent = await createPreparedIntent(db, { accountId, wallet, expiresInMs: EXPIRES_IN_MS });
  return { ...intent, signed: Buffer.from(signWith(intent.unsigned, wallet)).toString('base64') };
}

/** Inserts intents in every state and returns them by id. */
export async function insertIntents(db: Database, owner: Owner): Promise<Map<string, OwnIntent>> {
  const intents = new Map<string, OwnIntent>();
  for (const status of intentStatuses) {
    const intent = await insertIntent(db, owner);
    intents.set(intent.id, intent);
    if (status === 'prepared') continue;
    const isSubmitted = status !== 'expired';
    const isOver = status !== 'submitted';
    await db`
      update transaction_intents set status = ${status}, version = 2,
        signed_transaction = ${isSubmitted ? Buffer.from(intent.signed, 'base64') : null},
        submitted_at = ${isSubmitted ? new Date() : null}, completed_at = ${isOver ? new Date() : null},
        transaction_signature = ${status === 'confirmed' ? signatureOf(signatures++) : null},
        error_code = ${status === 'failed' ? 'solana_transaction_failed' : null},
        error_detail = ${status === 'failed' ? `detail ${owner.mark}` : null}
      where id = ${intent.id}`;
    if (status === 'confirmed' || status === 'failed') await insertLanding(db, intent.id);
    if (status === 'confirmed') await insertClaim(db, intent.id, owner);
    if (isSubmitted) await insertSends(db, intent.id, owner);
    if (!isOver)
      await db`
        insert into intent_broadcasts (intent_id, next_send_at, created_at) values (${intent.id}, now(), now())`;
  }
  return intents;
}

/** One address got the intent, and another one was held out. */
async function insertSends(db: Database, intentId: string, { mark }: Owner): Promise<void> {
  const at = new Date();
  const sent = { firstSentAt: at, lastSentAt: at, firstSlot: 300_000_120n, sendCount: 1, takenCount: 1 };
  await insertRows(db, 'intent_sends', [
    { intentId, target: `node-${mark}`, ...sent, answer: 'accepted' },
    {
      intentId,
      target: `service-${mark}`,
      firstSentAt: null,
      lastSentAt: null,
      firstSlot: null,
      sendCount: 0,
      takenCount: 0,
      answer: null,
    },
  ]);
}

/** The intent has claimed fees. */
async function insertClaim(
  db: Database,
  intentId: string,
  { accountId, wallet, mark }: Owner,
): Promise<void> {
  const claims = [{ kind: 'leftover', mintAddress: `mint ${mark}` }];
  await db`
    insert into fee_claim_intents (intent_id, account_id, wallet_address, claims, in_sol, created_at, settled_at,
      transaction_signature)
    select id, ${accountId}, ${wallet.publicKey.toBase58()}, ${db.json(claims)}, 0, now(), now(), transaction_signature
    from transaction_intents where id = ${intentId}`;
}

/** The intent has landed, in a block that is final. */
async function insertLanding(db: Database, intentId: string): Promise<void> {
  await db`
    insert into intent_landings (intent_id, slot, finality, landed_at, settled_at, facts_at, succeeded, fee_lamports, changes)
    values (${intentId}, 300000123, 'finalized', now(), now(), now(), true, 5000, ${db.json({ lamports: '-5000', tokens: [] })})`;
}

/** Inserts launches in every state and returns their ids. */
export async function insertLaunches(db: Database, owner: Owner): Promise<string[]> {
  const ids: string[] = [];
  for (const status of launchStatuses) {
    const { id: intentId } = await insertIntent(db, owner);
    const launchId = await insertLaunch(db, { accountId: owner.accountId, intentId });
    const completedAt = status === 'pending_launch_init' ? null : new Date();
    await db`
      update launches set status = ${status}, completed_at = ${completedAt}, description = ${`launch ${owner.mark}`}
      where id = ${launchId}`;
    ids.push(launchId);
  }
  return ids;
}

/** Inserts order slots in every state and returns their ids. */
export async function insertSlots(db: Database, owner: Owner): Promise<string[]> {
  const ids: string[] = [];
  for (const status of orderSlotStatuses) {
    const { id: intentId } = await insertIntent(db, owner);
    const walletAddress = addressOf(owner.wallet);
    ids.push(await insertSlot(db, { accountId: owner.accountId, intentId, status, walletAddress }));
  }
  return ids;
}

/** Inserts orders in every state and returns their ids. */
export async function insertOrders(
  db: Database,
  owner: Owner,
  slotId: string,
  mintAddress: string,
): Promise<string[]> {
  const { accountId, mark } = owner;
  const walletAddress = addressOf(owner.wallet);
  const ids: string[] = [];
  for (const status of orderStatuses)
    ids.push(
      await insertOrder(db, { accountId, slotId, status, walletAddress, mintAddress, ocoGroup: mark }),
    );
  return ids;
}
