import { Keypair } from '@solana/web3.js';
import { BONDING_CURVE, DAMM_V2 } from '../../../src/chain/accounts/programs.ts';
import type { Database } from '../../../src/db/client.ts';
import { sealOrderTransaction } from '../../../src/features/orders/sealed-transaction.ts';
import type { SecretBox } from '../../../src/shared/secret-box.ts';
import { nonceTransfer } from '../intents/intent-transactions.ts';
import { signWith } from '../intents/intents.ts';
import { newAddress } from '../market/ingest-stream.ts';
import { insertSlot } from './insert-slot.ts';

const SIGNATURE_OFFSET = 1;
const PRICE = '1';

export interface TriggeredOrder {
  id: string;
  accountId: string;
  slotId: string;
  mintAddress: string;
  nonceAddress: string;
  nonce: string;
  /** The signed bytes of each venue, as base64. */
  wires: Record<'curve' | 'amm', string>;
  transactionIds: Record<'curve' | 'amm', string>;
}

export interface TriggeredOrderOptions {
  accountId: string;
  box: SecretBox;
  /** The same slot and nonce as another order. */
  beside?: TriggeredOrder;
  mintAddress?: string;
  venues?: readonly ('curve' | 'amm')[];
  status?: 'open' | 'triggered';
  createdAt?: Date;
  triggeredAt?: Date;
  endsAt?: Date;
  /** When a worker looks at the account of its slot: it is on no chain. At once if it is unset. */
  slotDueAt?: Date;
  protectedRoute?: boolean;
  /** Its token is there, or is not needed. */
  withoutToken?: boolean;
}

/** Inserts a signed order that sells at 1 SOL or above, with its slot and its token where they are not there. */
export async function insertTriggeredOrder(
  db: Database,
  options: TriggeredOrderOptions,
): Promise<TriggeredOrder> {
  const { accountId, box, beside, status = 'triggered', venues = ['curve'] } = options;
  const { mintAddress = beside?.mintAddress ?? newAddress(), createdAt = new Date() } = options;
  const { triggeredAt = new Date(), endsAt = new Date(Date.now() + 86_400_000) } = options;
  const wallet = Keypair.generate();
  const walletAddress = wallet.publicKey.toBase58();
  const nonceAddress = beside?.nonceAddress ?? newAddress();
  const nonce = beside?.nonce ?? newAddress();
  const slot = { accountId, status: 'ready', nonceAddress, walletAddress } as const;
  const slotId =
    beside?.slotId ??
    (await insertSlot(db, { ...slot, ...(options.slotDueAt && { dueAt: options.slotDueAt }) }));
  if (options.withoutToken !== true) await insertTradedToken(db, mintAddress);
  const id = Bun.randomUUIDv7();
  const isTriggered = status === 'triggered';
  const wires = { curve: '', amm: '' };
  const transactionIds = { curve: '', amm: '' };
  // A worker may end it as soon as it is there.
  await db.begin(async (sql) => {
    await sql`
      insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
        limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, expires_at, ends_at,
        created_at, opened_at, triggered_at, trigger_trade_id, trigger_slot, trigger_observed_price, next_attempt_at)
      values (${id}, ${accountId}, ${slotId}, ${walletAddress}, ${nonceAddress}, ${nonce}, ${mintAddress}, 'sell', 1000, 1,
        ${PRICE}, 'at_or_above', 'trade', ${options.protectedRoute === true ? 'protected' : 'fast'}, 0, ${status}, 3,
        ${endsAt}, ${endsAt}, ${createdAt}, ${createdAt}, ${isTriggered ? triggeredAt : null},
        ${isTriggered ? Bun.randomUUIDv7() : null}, ${isTriggered ? 1 : null}, ${isTriggered ? PRICE : null},
        ${isTriggered ? triggeredAt : null})`;
    for (const venue of venues) {
      const program = venue === 'curve' ? BONDING_CURVE : DAMM_V2;
      const unsigned = nonceTransfer(wallet.publicKey, nonceAddress, nonce, 'legacy', [program]);
      const signed = signWith(unsigned, wallet);
      const transactionId = Bun.randomUUIDv7();
      const hash = new Bun.CryptoHasher('sha256').update(signed).digest();
      await sql`
        insert into order_transactions (id, order_id, venue, prepared_transaction, signature_offset, message_hash, policy,
          quote, sending, sealed_transaction, signed_at)
        values (${transactionId}, ${id}, ${venue}, ${unsigned}, ${SIGNATURE_OFFSET}, ${hash},
          ${sql.json({ allowedPrograms: [], maxComputeUnitPrice: null, requireSimulation: false })},
          ${sql.json({ side: 'sell' })}, ${sql.json({})}, ${sealOrderTransaction(box, transactionId, signed)}, now())`;
      wires[venue] = Buffer.from(signed).toString('base64');
      transactionIds[venue] = transactionId;
    }
  });
  return { id, accountId, slotId, mintAddress, nonceAddress, nonce, wires, transactionIds };
}

async function insertTradedToken(db: Database, mintAddress: string): Promise<void> {
  await db`
    insert into tokens (mint_address, creator_wallet, name, symbol, decimals, total_supply, launch_type, status,
      curve_stage, created_at, updated_at)
    values (${mintAddress}, ${newAddress()}, 'Token', 'TKN', 6, 1000, 'dbc', 'bonding', 'trading', now(), now())
    on conflict do nothing`;
}

/** The newest trade of a token at this price, which is the market's from then on. */
export async function insertPrice(db: Database, mintAddress: string, price: string, slot = 1): Promise<void> {
  await db`
    insert into trades (id, mint_address, type, trader_wallet, sol_amount, token_amount, price_per_token_in_sol, slot,
      transaction_index, outer_index, inner_index, block_time, transaction_signature)
    values (${Bun.randomUUIDv7()}, ${mintAddress}, 'buy', ${newAddress()}, 1, 1, ${price}, ${slot}, 0, 0, 0, now(),
      ${newAddress()})`;
  await setMarketPrice(db, mintAddress, price);
}

/** The price of the market after the newest trade, whatever the trades paid. */
export async function setMarketPrice(db: Database, mintAddress: string, price: string): Promise<void> {
  await db`
    insert into token_markets (mint_address, price_in_sol, as_of) values (${mintAddress}, ${price}, now())
    on conflict (mint_address) do update set price_in_sol = excluded.price_in_sol`;
}
