import { beforeEach, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectNats, type NatsConnection } from '@nats-io/transport-node';
import { Connection, type Keypair } from '@solana/web3.js';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { publishBatch } from '../../src/outbox/publish.ts';
import { ensureStreams } from '../../src/shared/bus/streams.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { EventName } from '../../src/shared/events/catalogue.ts';
import {
  fundedWallet,
  insertIntent,
  type SignedTransfer,
  signedTransfer,
  startSubmittedIntents,
} from '../support/intents/submitted-intent.ts';
import { runAdmin } from '../support/operations/admin-program.ts';
import { eventsOf, urlOf } from '../support/processes/worker-context.ts';
import { insertDelivery } from '../support/rows/insert-delivery.ts';
import { insertEndpoint } from '../support/rows/insert-endpoint.ts';
import { insertEvent } from '../support/rows/insert-event.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTempDir } from '../support/run/temp-dir.ts';
import { createTestNats } from '../support/servers/nats.ts';

const SIGNATURE_BYTES = 64;
const FIRST_SIGNATURE = 1;
const { chain, db, accountId, intent, context, clear } = await startSubmittedIntents();
const nats = await createTestNats();
const bus: NatsConnection = await connectNats({ servers: nats.url });
atEnd(() => bus.close());
await ensureStreams(bus);
const outbox = createOutbox({ source: 'https://x.test/api/v2', docsUrl: 'https://x.test/docs' }, systemClock);

beforeEach(clear);

interface Report {
  applied: boolean;
  complete: boolean;
  comparedIntents: number;
  intents: { id: string; status: string; signature: string | null; action: string }[];
  events: { id: string; type: string; action: string }[];
  missingDeliveries: { eventId: string; endpointId: string; action: string }[];
  openDeliveries: { endpointId: string; deliveries: number }[];
  subscriber?: { eventId: string; deliveryId: string | null; difference: string; action: string }[];
}

async function reconcile(...options: string[]): Promise<Report> {
  const since = new Date(Date.now() - 600_000).toISOString();
  const environment = { DATABASE_URL: urlOf(db), NATS_URL: nats.url, SOLANA_RPC_URL: chain.rpcUrl };
  const { code, output } = await runAdmin(['reconcile', '--since', since, ...options, '--json'], environment);
  expect({ code, output }).toMatchObject({ code: 0 });
  return JSON.parse(output);
}

/** As after the loss of its submission: prepared, without a signature. */
async function insertPrepared(
  wallet: Keypair,
  { bytes, lastValidBlockHeight }: SignedTransfer,
): Promise<string> {
  const prepared = Uint8Array.from(bytes).fill(0, FIRST_SIGNATURE, FIRST_SIGNATURE + SIGNATURE_BYTES);
  const now = new Date();
  const id = await insertIntent(db, accountId, {
    status: 'prepared',
    transaction: prepared,
    lastValidBlockHeight,
    expiresAt: new Date(now.getTime() + 60_000),
    now,
  });
  await db`update transaction_intents set expected_signer = ${wallet.publicKey.toBase58()} where id = ${id}`;
  return id;
}

async function land({ bytes }: SignedTransfer): Promise<void> {
  await new Connection(chain.rpcUrl, 'confirmed').sendRawTransaction(bytes);
  chain.advanceSlots(1);
}

async function publish(name: EventName, account: string | null): Promise<string> {
  const id = await db.begin((transaction) =>
    outbox.append(transaction, { name, subject: crypto.randomUUID(), accountId: account, data: {} }),
  );
  await publishBatch(db, bus, 10);
  return id;
}

test('intents that landed are submitted again and confirmed, also expired ones; others stay as they are', async () => {
  const wallet = await fundedWallet(chain.rpcUrl);
  const transfers = [
    await signedTransfer(chain.rpcUrl, wallet, 1_000_001),
    await signedTransfer(chain.rpcUrl, wallet, 1_000_002),
    await signedTransfer(chain.rpcUrl, wallet, 1_000_003),
  ] as const;
  const [landed, expired, unsent] = [
    await insertPrepared(wallet, transfers[0]),
    await insertPrepared(wallet, transfers[1]),
    await insertPrepared(wallet, transfers[2]),
  ];
  await land(transfers[0]);
  await land(transfers[1]);
  await db`update transaction_intents set status = 'expired', completed_at = now(), version = 2 where id = ${expired}`;

  const dry = await reconcile();
  expect(dry).toMatchObject({ applied: false, complete: true, comparedIntents: 3 });
  expect(dry.intents).toEqual([
    { id: landed, status: 'prepared', signature: transfers[0].signature, action: 'would submit' },
    { id: expired, status: 'expired', signature: transfers[1].signature, action: 'would submit' },
  ]);
  expect(await intent(landed)).toMatchObject({ status: 'prepared', version: 1 });

  const both = await Promise.all([reconcile('--apply'), reconcile('--apply')]);
  const actions = both.flatMap(({ intents }) => intents.map(({ id, action }) => `${id} ${action}`));
  expect(actions.filter((action) => action.endsWith(' submitted')).toSorted()).toEqual(
    [`${landed} submitted`, `${expired} submitted`].toSorted(),
  );
  await confirmSubmitted(context(chain.rpcUrl));
  expect(await intent(landed)).toMatchObject({
    status: 'confirmed',
    transactionSignature: transfers[0].signature,
  });
  expect(await intent(expired)).toMatchObject({
    status: 'confirmed',
    transactionSignature: transfers[1].signature,
  });
  expect(await intent(unsent)).toMatchObject({ status: 'prepared', version: 1 });
  expect((await eventsOf(db)).toSorted()).toEqual(
    [landed, expired]
      .flatMap((id) => [`transaction_intent.confirmed ${id}`, `transaction_intent.submitted ${id}`])
      .toSorted(),
  );
  expect((await reconcile('--apply')).intents).toEqual([]);
});

test('a transaction of another message heals nothing, whatever a node lists', async () => {
  const wallet = await fundedWallet(chain.rpcUrl);
  const [prepared, other] = [
    await signedTransfer(chain.rpcUrl, wallet, 1_000_004),
    await signedTransfer(chain.rpcUrl, wallet, 1_000_005),
  ];
  await insertPrepared(wallet, prepared);
  await land(other);
  expect((await reconcile('--apply')).intents).toEqual([]);
});

test('events that only the broker has are named, and restored once with their id and bytes', async () => {
  const [lost, kept] = [await publish('launch.created', null), await publish('launch.created', null)];
  const ofAccount = await publish('operation.succeeded', accountId);
  const ping = await publish('webhook.ping', accountId);
  const [row] = await db<{ body: string }[]>`select body from events where id = ${lost}`;
  await db`delete from events where id <> ${kept}`;

  const named = (await reconcile()).events.filter(({ id }) => [lost, kept, ofAccount, ping].includes(id));
  expect(named.map(({ id, action }) => [id, action])).toEqual([
    [lost, 'would restore'],
    [ofAccount, 'would restore'],
    [ping, 'named only'],
  ]);
  await reconcile('--apply');
  const [restored] = await db<{ body: string; isPublished: boolean; isFannedOut: boolean }[]>`
    select body, not exists (select from events_to_publish where event_id = id) as is_published,
      not exists (select from events_to_fan_out where event_id = id) as is_fanned_out
    from events where id = ${lost}`;
  expect(restored).toEqual({ body: row?.body ?? '', isPublished: true, isFannedOut: false });
  const left = (await reconcile('--apply')).events.filter(({ id }) => [lost, ofAccount, ping].includes(id));
  expect(left.map(({ id, action }) => [id, action])).toEqual([[ping, 'named only']]);
});

test('deliveries that an event lacks are named, and made by the relays again; open ones are counted', async () => {
  const endpointId = await insertEndpoint(db, { accountId, createdAt: new Date(Date.now() - 3_600_000) });
  await db`update webhook_endpoints set updated_at = created_at where id = ${endpointId}`;
  const createdAt = new Date(Date.now() - 60_000);
  const facts = { accountId, createdAt, isPublished: true, isFannedOut: true };
  const [lacking, open] = [
    await insertEvent(db, { subject: 'lacking', ...facts }),
    await insertEvent(db, { subject: 'open', ...facts }),
  ];
  await insertDelivery(db, { endpointId, eventId: open, status: 'retrying' });
  const { missingDeliveries, openDeliveries } = await reconcile();
  expect(missingDeliveries).toEqual([{ eventId: lacking, endpointId, action: 'would deliver again' }]);
  expect(openDeliveries).toEqual([{ endpointId, deliveries: 1 }]);
  await reconcile('--apply');
  const due = await db<
    { id: string }[]
  >`select id from events join events_to_fan_out on event_id = id where account_id = ${accountId}`;
  const again = due.map(({ id }) => id);
  expect([again.includes(lacking), again.includes(open)]).toEqual([true, false]);
});

test('what one subscriber has is compared both ways', async () => {
  const endpointId = await insertEndpoint(db, { accountId });
  const [received, unreceived] = [
    await insertEvent(db, { subject: 'received', accountId }),
    await insertEvent(db, { subject: 'unreceived', accountId }),
  ];
  await insertDelivery(db, { endpointId, eventId: received, status: 'succeeded' });
  const deliveryId = await insertDelivery(db, { endpointId, eventId: unreceived, status: 'succeeded' });
  const lost = Bun.randomUUIDv7();
  const file = join(createTempDir('received'), 'ids');
  writeFileSync(file, `${lost}\n${received}\n`);
  const options = ['--received', file, '--endpoint', endpointId];
  expect((await reconcile(...options)).subscriber).toEqual([
    { eventId: lost, deliveryId: null, difference: 'only the subscriber has it', action: 'named only' },
    {
      eventId: unreceived,
      deliveryId,
      difference: 'recorded as delivered, not received',
      action: 'would deliver again',
    },
  ]);
  expect((await reconcile(...options, '--apply')).subscriber?.map(({ action }) => action)).toEqual([
    'named only',
    'delivered again',
  ]);
  const [row] = await db<
    { status: string }[]
  >`select status from webhook_deliveries where id = ${deliveryId}`;
  expect(row?.status).toBe('pending');
  writeFileSync(file, 'x');
  const environment = { DATABASE_URL: urlOf(db), NATS_URL: nats.url, SOLANA_RPC_URL: chain.rpcUrl };
  const since = new Date().toISOString();
  const { code, output } = await runAdmin(['reconcile', '--since', since, ...options], environment);
  expect({ code, output }).toMatchObject({
    code: 2,
    output: expect.stringContaining('line 1 is no webhook-id'),
  });
});
