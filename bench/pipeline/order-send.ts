import { jetstream } from '@nats-io/jetstream';
import { Keypair } from '@solana/web3.js';
import type { Database } from '../../src/db/client.ts';
import { sealOrderTransaction } from '../../src/features/orders/sealed-transaction.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { ingestSubject } from '../../src/shared/bus/topology.ts';
import { createSecretBox, deriveKey, ORDER_KEY_PURPOSE } from '../../src/shared/secret-box.ts';
import { createTestKey } from '../../test/support/api/api-keys.ts';
import { nonceTransfer } from '../../test/support/intents/intent-transactions.ts';
import { signWith } from '../../test/support/intents/intents.ts';
import { insertSlot } from '../../test/support/orders/insert-slot.ts';
import { type BenchCase, sized, warmsUp } from '../cases/case.ts';
import { type BenchEnvironment, createBenchEnvironment } from '../cases/environment.ts';
import { epochMs } from '../cases/subscribers.ts';
import { poissonArrivals } from '../load/poisson-arrivals.ts';
import { Distributions } from '../measurement/distribution.ts';
import { percentiles } from '../measurement/percentiles.ts';
import { alternate } from '../measurement/rounds.ts';
import { seededRandom } from '../measurement/seeded-random.ts';
import { until } from '../measurement/until.ts';
import { createBenchTokens } from './create-bench-tokens.ts';
import { BENCH_TOKENS, benchMint, tradeMessage } from './trade-messages.ts';

const RATE = 200;
/** Long enough for a p99 of a round in which every trade triggers an order. */
const ROUND_MS_MIN = { full: 6_000, quick: 1_500, shortest: 300 };
const VARIANTS = [
  { name: 'every trade triggers an order', every: 1 },
  { name: 'every tenth trade triggers an order', every: 10 },
];
const POLL_MS = 20;

/**
 * Trades at a rate that trigger orders: from the trigger, which is a moment before the commit of its trade, and from the
 * publication of the trade to the order's first byte at the node. Everything is durable; the node answers at once.
 */
export const orderSend: BenchCase = async (options) => {
  const { rounds, roundMs, seed = 1 } = options;
  const environment = await createBenchEnvironment();
  try {
    await createBenchTokens(environment.database);
    const { accountId } = await createTestKey(environment.database);
    await environment.startWorker();
    const durationMs = Math.max(roundMs, sized(options, ROUND_MS_MIN));
    const feed = await startFeed(environment, accountId);
    const distributions = new Distributions();
    let number = 0;
    const run = async ({ name, every }: (typeof VARIANTS)[number], isCounted: boolean) => {
      number += 1;
      const arrivalsMs = poissonArrivals(RATE, durationMs, seededRandom(seed * 1_000 + number));
      const { triggered, published } = await feed.run(arrivalsMs, every);
      if (isCounted) distributions.record(name, 'trigger → node', triggered);
      return {
        orders: triggered.length,
        ...percentiles(triggered, { triggerP50Ms: 0.5, triggerP90Ms: 0.9, triggerP99Ms: 0.99 }),
        ...percentiles(published, { tradeP50Ms: 0.5, tradeP99Ms: 0.99 }),
      };
    };
    // A first round that is not counted warms the worker up.
    for (const variant of VARIANTS) if (warmsUp(options)) await run(variant, false);
    const figures = await alternate(
      VARIANTS.map((variant) => ({ name: variant.name, run: () => run(variant, true) })),
      rounds,
    );
    await feed.close();
    return {
      name: `${RATE} trades a second: trigger → first byte of the order at the node`,
      figures,
      ratios: {},
      distributions: distributions.encode(),
    };
  } finally {
    await environment.close();
  }
};

async function startFeed({ database, natsUrl, node, secretKey }: BenchEnvironment, accountId: string) {
  const connection = await connectBus(natsUrl, 'bench');
  await ensureStreams(connection);
  const stream = jetstream(connection);
  let next = 0;
  return {
    close: () => connection.close(),
    /** Publishes a trade at each of the times, every n-th of which triggers an order. */
    async run(arrivalsMs: Float64Array, every: number) {
      const trades = Array.from(arrivalsMs, (atMs, at) => {
        next += 1;
        return { atMs, message: tradeAt(next), price: priceAt(next), hasOrder: at % every === 0 };
      });
      const ordered = trades.filter(({ hasOrder }) => hasOrder);
      const wires = await insertWaitingOrders(
        database,
        { accountId, secretKey },
        ordered.map(({ message: { mintAddress }, price }) => ({ mintAddress, price })),
      );
      const sentMs = new Map<string, number>();
      const own = new Set(wires);
      // The worker may send an order of the round before again.
      node.onSend((wire) => {
        if (own.has(wire) && !sentMs.has(wire)) sentMs.set(wire, epochMs());
      });
      const startedMs = epochMs();
      const publishedMs = new Map<object, number>();
      const acknowledgements: Promise<unknown>[] = [];
      for (const trade of trades) {
        const pauseMs = startedMs + trade.atMs - epochMs();
        if (pauseMs > 0) await Bun.sleep(pauseMs);
        publishedMs.set(trade, epochMs());
        // Trades come when they are due, whether or not the one before is acknowledged.
        acknowledgements.push(stream.publish(ingestSubject('trade'), JSON.stringify(trade.message)));
      }
      await Promise.all(acknowledgements);
      await until('every order is sent', () => sentMs.size >= wires.length, { pollMs: POLL_MS });
      node.onSend(null);
      const triggeredMs = await readTriggers(database, wires);
      const at = (wire: string) => sentMs.get(wire) ?? Number.NaN;
      return {
        triggered: wires.map((wire) => at(wire) - (triggeredMs.get(wire) ?? Number.NaN)),
        published: wires.map(
          (wire, index) => at(wire) - (publishedMs.get(ordered[index] ?? {}) ?? Number.NaN),
        ),
      };
    },
  };
}

/** When each order was triggered, by the bytes that were sent. */
async function readTriggers(
  database: BenchEnvironment['database'],
  wires: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database<{ wire: string; atMs: number }[]>`
    select translate(encode(i.signed_transaction, 'base64'), E'\n', '') as wire,
      (extract(epoch from o.triggered_at) * 1000)::float8 as at_ms
    from orders o join transaction_intents i on i.id = o.intent_id`;
  const wanted = new Set(wires);
  return new Map(rows.filter(({ wire }) => wanted.has(wire)).map(({ wire, atMs }) => [wire, atMs]));
}

/** Each trade of a token has a higher price than the one before it. */
const priceAt = (number: number) => 1 + Math.floor(number / BENCH_TOKENS);

function tradeAt(number: number) {
  const price = String(priceAt(number));
  return {
    ...tradeMessage(number),
    solAmount: price,
    tokenAmount: '1',
    slot: '300000000',
    transactionIndex: number,
    blockTime: new Date().toISOString(),
  };
}

const wallet = Keypair.generate();
const NONCE_ADDRESS = benchMint(2_000_000);

/** An order that the trade of its token at its price triggers. */
interface WaitingOrder {
  mintAddress: string;
  price: number;
}

/** Inserts open signed orders. Returns the signed bytes of each, as base64. */
async function insertWaitingOrders(
  sql: Database,
  owner: { accountId: string; secretKey: string },
  orders: readonly WaitingOrder[],
): Promise<string[]> {
  const { accountId } = owner;
  const box = createSecretBox(deriveKey(Buffer.from(owner.secretKey, 'base64'), ORDER_KEY_PURPOSE));
  const slotId = await insertSlot(sql, {
    accountId,
    status: 'ready',
    nonceAddress: Bun.randomUUIDv7(),
    // The stub of a node has no accounts, so a worker that looked at the slot would close it.
    dueAt: new Date(epochMs() + 3_600_000),
  });
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
