import { Keypair } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import { sealOrderTransaction } from '../../src/features/orders/sealed-transaction.ts';
import { createSecretBox, deriveKey, ORDER_KEY_PURPOSE } from '../../src/shared/secret-box.ts';
import { nonceTransfer } from '../../test/support/intents/intent-transactions.ts';
import { signWith } from '../../test/support/intents/intents.ts';
import { insertSlot } from '../../test/support/orders/insert-slot.ts';
import { benchMint } from './trade-messages.ts';

const wallet = Keypair.generate();
const NONCE_ADDRESS = benchMint(2_000_000);

/** An order that the trade of its token at its price triggers. */
export interface WaitingOrder {
  mintAddress: string;
  price: number;
}

/** Inserts open signed orders. Returns the signed bytes of each, as base64. */
export async function insertWaitingOrders(
  sql: Database,
  owner: { accountId: string; secretKey: string },
  orders: readonly WaitingOrder[],
): Promise<string[]> {
  const { accountId } = owner;
  const box = createSecretBox(deriveKey(Buffer.from(owner.secretKey, 'base64'), ORDER_KEY_PURPOSE));
  const slotId = await insertSlot(sql, { accountId, status: 'ready', nonceAddress: Bun.randomUUIDv7() });
  const made = orders.map((order) => {
    const nonce = Keypair.generate().publicKey.toBase58();
    const unsigned = nonceTransfer(wallet.publicKey, NONCE_ADDRESS, nonce);
    const signed = signWith(unsigned, wallet);
    const [id, transactionId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()];
    return { ...order, id, nonce, transactionId, unsigned, signed };
  });
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  await sql.begin(async (transaction) => {
    await transaction`
      insert into orders (id, account_id, slot_id, wallet_address, nonce_address, nonce, mint_address, side, amount_raw,
        limit_raw, trigger_price, trigger_when, trigger_of, send_route, tip_lamports, status, version, expires_at, ends_at,
        created_at, opened_at)
      select id, ${accountId}, ${slotId}, ${wallet.publicKey.toBase58()}, ${NONCE_ADDRESS}, nonce, mint, 'sell', 1, 1, price,
        'at_or_above', 'trade', 'fast', 0, 'open', 2, now() + interval '1 day', now() + interval '1 day', now(), now()
      from unnest(${made.map(({ id }) => id)}::uuid[], ${made.map(({ nonce }) => nonce)}::text[],
        ${made.map(({ mintAddress }) => mintAddress)}::text[], ${made.map(({ price }) => String(price))}::numeric[])
        as o (id, nonce, mint, price)`;
    await transaction`
      insert into order_transactions (id, order_id, venue, prepared_transaction, signature_offset, message_hash, policy,
        quote, sending, sealed_transaction, signed_at)
      select id, order_id, 'curve', decode(prepared, 'hex'), 1, sha256(decode(prepared, 'hex')),
        '{"allowedPrograms":[],"maxComputeUnitPrice":null,"requireSimulation":false}', '{}', '{}', decode(sealed, 'hex'), now()
      from unnest(${made.map(({ transactionId }) => transactionId)}::uuid[], ${made.map(({ id }) => id)}::uuid[],
        ${made.map(({ unsigned }) => hex(unsigned))}::text[],
        ${made.map(({ transactionId, signed }) => hex(sealOrderTransaction(box, transactionId, signed)))}::text[])
        as t (id, order_id, prepared, sealed)`;
  });
  return made.map(({ signed }) => Buffer.from(signed).toString('base64'));
}
