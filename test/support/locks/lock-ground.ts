import { Keypair } from '@solana/web3.js';
import type { Database } from '../../../src/db/client.ts';
import { createOperation } from '../../../src/features/operations/create-operation.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { createPublicGround } from '../accounts/public-ground.ts';
import { createPreparedIntent } from '../intents/intents.ts';
import { insertAccount, insertIntent } from '../intents/submitted-intent.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { createTestPresale } from '../market/presales.ts';
import { insertOrder } from '../orders/insert-order.ts';
import { insertSlot } from '../orders/insert-slot.ts';
import { openDatabase } from '../processes/worker-context.ts';
import { insertDelivery } from '../rows/insert-delivery.ts';
import { insertEndpoint } from '../rows/insert-endpoint.ts';
import { insertEvent } from '../rows/insert-event.ts';

/** One row of everything that is locked. */
export interface LockGround {
  db: Database;
  accountId: string;
  mint: string;
  orders: Record<'unsigned' | 'open' | 'triggered' | 'overdue' | 'sent', string>;
  triggerTradeId: string;
  presaleId: string;
  operationId: string;
  /** An operation that a worker runs. */
  lease: { id: string; leaseToken: string };
  /** An open round. */
  roundId: string;
  endpointId: string;
  deliveryId: string;
  intentId: string;
}

export async function createLockGround(): Promise<LockGround> {
  const db = await openDatabase();
  const accountId = await insertAccount(db);
  const mint = newAddress();
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status, created_at,
      updated_at)
    values (${mint}, ${newAddress()}, 'Token', 'TKN', 6, 1000, 'dbc', 'bonding', now(), now())`;
  await db`
    insert into holder_counting (mint_address, protocol_accounts, next_snapshot_at, is_followed)
    values (${mint}, '{}', now(), true)`;
  await db`
    insert into trader_recounts (mint_address, trader_wallet, from_slot) values (${mint}, ${newAddress()}, 1)`;
  const orders = await insertOrders(db, accountId, mint);
  const [triggered] = await db<{ triggerTradeId: string }[]>`
    select trigger_trade_id from orders where id = ${orders.triggered}`;
  const presale = await createTestPresale(db, systemClock, {
    publicStartAt: new Date(Date.now() - 1_000),
  });
  const lease = { id: await createOperationOf(db, accountId), leaseToken: crypto.randomUUID() };
  await db`
    update operations set status = 'running', started_at = now(), due_at = now(), lease_token = ${lease.leaseToken}
    where id = ${lease.id}`;
  await db`update order_transactions set sealed_transaction = '\\x01' where order_id = ${orders.open}`;
  const { rounds } = await createPublicGround(db);
  await db`
    insert into idempotency_records (account_id, key, fingerprint, response_status, response_headers, response_body, sealed,
      created_at, expires_at)
    values (${accountId}, 'key', ${Buffer.alloc(32)}, 201, '{}', ${Buffer.alloc(1)}, true, now(), now() + interval '1 hour')`;
  const endpointId = await insertEndpoint(db, { accountId, eventScopes: [] });
  const eventId = await insertEvent(db);
  const intent = await createPreparedIntent(db, { accountId, wallet: Keypair.generate() });
  return {
    db,
    accountId,
    mint,
    orders,
    triggerTradeId: triggered?.triggerTradeId ?? '',
    presaleId: presale.id,
    operationId: await createOperationOf(db, accountId),
    lease,
    roundId: rounds.open,
    endpointId,
    deliveryId: await insertDelivery(db, { endpointId, eventId }),
    intentId: intent.id,
  };
}

async function insertOrders(
  db: Database,
  accountId: string,
  mintAddress: string,
): Promise<LockGround['orders']> {
  const insert = async (status: 'unsigned' | 'open' | 'triggered', intentId: string | null = null) => {
    const slotId = await insertSlot(db, { accountId, status: 'ready' });
    return await insertOrder(db, { accountId, slotId, mintAddress, status, intentId });
  };
  const overdue = await insert('open');
  await db`update orders set ends_at = created_at where id = ${overdue}`;
  return {
    unsigned: await insert('unsigned'),
    open: await insert('open'),
    triggered: await insert('triggered'),
    overdue,
    sent: await insert('triggered', await insertUnsentIntent(db, accountId)),
  };
}

/** An intent that has ended before any node got it. */
async function insertUnsentIntent(db: Database, accountId: string): Promise<string> {
  const now = new Date();
  const facts = { transaction: new Uint8Array(200), lastValidBlockHeight: null, expiresAt: now, now };
  const id = await insertIntent(db, accountId, facts);
  await db`
    update transaction_intents set status = 'failed', version = 3, completed_at = now(),
      error_code = 'transaction_intent_invalid_state', error_detail = 'was never sent'
    where id = ${id}`;
  return id;
}

async function createOperationOf(db: Database, accountId: string): Promise<string> {
  const { id } = await db.begin((transaction) =>
    createOperation(transaction, systemClock, { accountId, kind: 'by_hand', input: {} }),
  );
  return id;
}
