import { beforeAll, expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { EventLeases } from '../../relay/deliver/event-leases.ts';
import type { Database } from '../../src/db/client.ts';
import { findOperation } from '../../src/features/operations/find-operation.ts';
import { endIntents } from '../../src/intents/end/end-intents.ts';
import { expireIntents, isIntentOverdue } from '../../src/intents/end/expire-intents.ts';
import { findIntent } from '../../src/intents/find-intent.ts';
import { recordSends } from '../../src/intents/send/record-sends.ts';
import { SubmissionWriter } from '../../src/intents/submit/submission-writer.ts';
import { acceptKnown, storeAndSend, submitIntent } from '../../src/intents/submit/submit-intent.ts';
import { publishBatch } from '../../src/outbox/publish.ts';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { recordingDatabase, type SentStatement } from '../support/database/query-plans.ts';
import { createPreparedIntent, preparing, submissionOf, submitting } from '../support/intents/intents.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestNats } from '../support/servers/nats.ts';

const wallet = Keypair.generate();
const walletAddress = wallet.publicKey.toBase58();
let db: Database;
let sent: SentStatement[];
let key: TestKey;

beforeAll(async () => {
  ({ db, sent } = recordingDatabase((await createTestDatabase()).url));
  key = await createTestKey(db, { walletAddress });
});

test('the statements of submissions look rows up by their key, also when they were planned while the tables were new', async () => {
  const [first, second] = [await submission(), await submission()];
  const dependencies = { ...submitting, lookUps: db, submissionWriter: new SubmissionWriter(db) };
  const from = sent.length;
  await findIntent(db, first.intentId, key.accountId);
  const accepted = await acceptKnown(first, dependencies);
  if (accepted === null) throw new Error('the submission was refused');
  const record = {
    key: 'first',
    fingerprint: new Uint8Array(32),
    lockId: '1',
    status: 202,
    headers: {},
    body: Buffer.from('{}'),
    retentionMs: 1_000,
  };
  expect(await storeAndSend(accepted, record, dependencies)).toBe(true);
  await db.begin((transaction) => submitIntent(transaction, second, dependencies));
  await recordSends(db, {
    answered: [],
    accepted: [{ intentId: first.intentId, signature: 'signature' }],
  });
  await endIntents({ ...preparing, db, onStatusChanged() {} }, [
    { intentId: first.intentId, status: 'confirmed', transactionSignature: 'signature', slot: 1n },
    { intentId: second.intentId, status: 'confirmed', transactionSignature: 'signature', slot: 1n },
  ]);
  await findOperation(db, crypto.randomUUID(), key.accountId);
  const statements = sent
    .slice(from)
    .filter(({ text }) => /transaction_intents|intent_broadcasts|operations/.test(text));
  expect(statements.length).toBeGreaterThanOrEqual(7);
  const indexes = (await Promise.all(statements.map(({ text }) => indexesOf(text)))).flat();
  expect(indexes.length).toBeGreaterThanOrEqual(12);
  expect(indexes.filter((name) => !/_(?:pkey|pk)$/.test(name))).toEqual([]);
});

test('overdue intents are found in the order of their ends, without a scan of all prepared ones', async () => {
  const from = sent.length;
  await db`select ${isIntentOverdue(db, new Date(), 1n)}`;
  await expireIntents({ ...preparing, db, onStatusChanged() {} }, 1n, 1);
  const statements = sent.slice(from).filter(({ text }) => text.includes('last_valid_block_height <'));
  expect(statements).toHaveLength(2);
  for (const { text } of statements) {
    const ofIntents = (await indexesOf(text)).filter((name) => name.startsWith('transaction_intents_'));
    expect(ofIntents.slice(0, 2)).toEqual(['transaction_intents_expiry', 'transaction_intents_block_height']);
  }
});

test('the oldest rows of the outbox and of the fan-out are found in the order of their events, without a sort of all that wait', async () => {
  const nats = await createTestNats();
  const connection = await connectBus(nats.url, 'test');
  atEnd(() => connection.close());
  const from = sent.length;
  await publishBatch(db, connection, 100);
  const relay = new EventLeases(db, crypto.randomUUID(), 1_000);
  await relay.takeMissed(0, { limit: 100, except: [] });
  const statements = sent.slice(from).filter(({ text }) => /from events_to/.test(text));
  expect(statements).toHaveLength(2);
  for (const { text } of statements) {
    const [oldest = ''] = await indexesOf(text);
    expect(oldest).toMatch(/^events_to_(?:publish|fan_out)_pkey$/);
  }
});

async function submission() {
  const { accountId } = key;
  return submissionOf(await createPreparedIntent(db, { accountId, wallet }), accountId, wallet);
}

/** The indexes of the plan for any parameters, as a connection of the api makes it: tables have no statistics yet. */
async function indexesOf(text: string): Promise<string[]> {
  const count = new Set(text.match(/\$\d+/g)).size;
  return await db.begin(async (transaction) => {
    await transaction`set local plan_cache_mode = force_generic_plan`;
    await transaction`set local enable_seqscan = off`;
    await transaction.unsafe(`prepare planned as ${text}`);
    const values = count === 0 ? '' : `(${Array(count).fill('null').join()})`;
    const plan = await transaction.unsafe(`explain (format json) execute planned${values}`);
    await transaction`deallocate planned`;
    return [...JSON.stringify(plan).matchAll(/"Index Name":"(\w+)"/g)].map(([, name = '']) => name);
  });
}
