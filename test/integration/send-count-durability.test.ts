import { beforeEach, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { createSendTarget } from '../../src/chain/rpc/send-target.ts';
import { createChainRpcs } from '../../src/chain/rpc.ts';
import { connectDatabase } from '../../src/db/client.ts';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { broadcastDue } from '../../src/intents/send/broadcast-due.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startOwnPostgres } from '../support/database/own-postgres.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import { signWith } from '../support/intents/intents.ts';
import { startSendingNode } from '../support/intents/sending-node.ts';
import { insertAccount, insertIntent } from '../support/intents/submitted-intent.ts';
import { intentContext } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';

const postgres = await startOwnPostgres({ durable: true });
const { url, sql } = await createTestDatabase(postgres.url);
// For 10 s nothing but a commit that waits for it writes the log: what does not wait is lost in a crash.
await sql`alter system set wal_writer_delay = '10s'`;
await sql`select pg_reload_conf()`;
const db = connectDatabase(url, { applicationName: 'test', connections: 4 });
atEnd(() => db.end({ timeout: 1 }));
const clock = createTestClock();
const wallet = Keypair.generate();
const node = startSendingNode();
const accountId = await insertAccount(db);
const worker = (...urls: string[]) => intentContext(db, createChainRpcs(urls), clock).context;

beforeEach(async () => {
  await db`delete from intent_broadcasts`;
});

/** Submitted, and no send is known of it; nothing before it can be lost. */
async function submitted(sendCount: 0 | 1): Promise<string> {
  const now = clock.now();
  const transaction = signWith(unsignedTransfer(wallet.publicKey), wallet);
  const expiresAt = new Date(now.getTime() + 60_000);
  const id = await insertIntent(db, accountId, { transaction, lastValidBlockHeight: 100n, expiresAt, now });
  await db`update intent_broadcasts set send_count = ${sendCount} where intent_id = ${id}`;
  await sql`checkpoint`;
  return id;
}

async function crash(): Promise<void> {
  await postgres.kill();
  await postgres.start();
  await eventually('the database', () =>
    db`select 1`.then(
      () => true,
      () => false,
    ),
  );
}

const stored = async (id: string) => {
  const [row] = await db`
    select status, transaction_signature as signature, send_count from transaction_intents
    left join intent_broadcasts on intent_id = id where id = ${id}`;
  return row;
};

test('a send that a node may have accepted survives a crash of the database, and is not given up in silence', async () => {
  const id = await submitted(0);
  node.answer = 'hold';
  const { sent } = await broadcastDue(worker(node.url), 10);
  await eventually('the send', async () => node.sent.length === 1);
  await crash();
  expect(await stored(id)).toEqual({ status: 'submitted', signature: null, sendCount: 1 });
  clock.advance(3_600_000);
  await confirmSubmitted(worker('http://127.0.0.1:9'));
  expect(await stored(id)).toMatchObject({ status: 'submitted' });
  node.release();
  await sent;
});

test('a send that reaches no node never lowers the count of an accepted one, even where the record of that one was lost', async () => {
  const nobody = createSendTarget('http://127.0.0.1:9', { inFlightMax: 1 });
  const crashingFirst = {
    ...nobody,
    async send(bytes: Uint8Array) {
      await crash();
      return nobody.send(bytes);
    },
  };
  // The server writes its log every 10 s by itself: then the acceptance is not lost, and nothing was tried.
  const id = await eventually('the record of the acceptance is lost', async () => {
    await db`delete from intent_broadcasts`;
    const tried = await submitted(1);
    await db.begin(async (transaction) => {
      await transaction`set local synchronous_commit = off`;
      await transaction`update transaction_intents set transaction_signature = 'taken' where id = ${tried}`;
    });
    const { due, sent } = await broadcastDue({ ...worker(), sendOnly: [crashingFirst] }, 10);
    expect(due).toBe(1);
    await sent;
    return (await stored(tried))?.signature === null && tried;
  });
  expect(await stored(id)).toEqual({ status: 'submitted', signature: null, sendCount: 1 });
});
