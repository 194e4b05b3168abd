import { beforeEach, describe, expect, test } from 'bun:test';
import { Connection, type Keypair } from '@solana/web3.js';
import { confirmSubmitted } from '../../src/intents/confirm/confirm-submitted.ts';
import { endIntents } from '../../src/intents/end/end-intents.ts';
import {
  expireIntents,
  isSuspectOverdue,
  listSuspects,
  meetHistory,
} from '../../src/intents/end/expire-intents.ts';
import { settleUnsubmitted } from '../../src/intents/recover/settle-unsubmitted.ts';
import {
  fundedWallet,
  insertIntent,
  type SignedTransfer,
  signedTransfer,
  startSubmittedIntents,
} from '../support/intents/submitted-intent.ts';
import { asWorker, eventsOf } from '../support/processes/worker-context.ts';

const SIGNATURE_BYTES = 64;
const FIRST_SIGNATURE = 1;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
/** Slots of the sandbox for which the blockhash of a transfer is valid. */
const WINDOW = 200;
const UNREACHABLE = 'http://127.0.0.1:1';
const { chain, db, clock, accountId, intent, context, clear } = await startSubmittedIntents();
const wallet = await fundedWallet(chain.rpcUrl);
const worker = asWorker(db);

beforeEach(async () => {
  await clear();
  await db`delete from database_histories`;
});

interface Prepared extends SignedTransfer {
  id: string;
}

/** An overdue intent as it is after the loss of its submission: prepared, without a signature. */
async function prepare({
  timed = false,
  signer = wallet,
}: {
  timed?: boolean;
  signer?: Keypair;
} = {}): Promise<Prepared> {
  const transfer = await signedTransfer(chain.rpcUrl, signer);
  const transaction = Uint8Array.from(transfer.bytes).fill(
    0,
    FIRST_SIGNATURE,
    FIRST_SIGNATURE + SIGNATURE_BYTES,
  );
  const now = new Date(clock.now().getTime() - 120_000);
  const id = await insertIntent(db, accountId, {
    status: 'prepared',
    transaction,
    lastValidBlockHeight: timed ? null : transfer.lastValidBlockHeight,
    expiresAt: clock.now(),
    now,
  });
  await db`update transaction_intents set expected_signer = ${signer.publicKey.toBase58()} where id = ${id}`;
  return { id, ...transfer };
}

async function land({ bytes }: SignedTransfer): Promise<void> {
  await new Connection(chain.rpcUrl, 'confirmed').sendRawTransaction(bytes);
  chain.advanceSlots(1);
}

const suspects = () =>
  listSuspects(worker, { now: clock.now(), blockHeight: null, afterId: BEFORE_ALL_IDS, limit: 50 });
const isDue = async () => {
  const [row] = await worker<
    { isDue: boolean }[]
  >`select ${isSuspectOverdue(worker, clock.now(), null)} as is_due`;
  return row?.isDue;
};
const settle = async (...urls: string[]) => settleUnsubmitted(context(...urls), await suspects());
const statusOf = async ({ id }: Prepared) => (await intent(id)).status;

describe('on a history of the database that is new to the workers', () => {
  test('no intent that is older expires by time alone; those of the history do', async () => {
    const older = await prepare();
    expect(await expireIntents(context(chain.rpcUrl), null, 10)).toBe(0);
    expect(await isDue()).toBe(true);
    const met = await Promise.all([meetHistory(worker), meetHistory(worker), meetHistory(worker)]);
    expect(met.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await expireIntents(context(chain.rpcUrl), null, 10)).toBe(0);
    const younger = await prepare();
    await db`update transaction_intents set created_at = now() + interval '1 second' where id = ${younger.id}`;
    expect(await expireIntents(context(chain.rpcUrl), null, 10)).toBe(1);
    expect([await statusOf(older), await statusOf(younger)]).toEqual(['prepared', 'expired']);
    expect((await suspects()).map(({ id }) => id)).toEqual([older.id]);
  });

  test('one that landed is submitted again and confirmed, once, by however many workers', async () => {
    const landed = await prepare();
    await land(landed);
    await meetHistory(worker);
    const intents = await suspects();
    const settled = await Promise.all([1, 2, 3].map(() => settleUnsubmitted(context(chain.rpcUrl), intents)));
    expect(settled.flatMap((one) => one.landed)).toEqual([landed.id]);
    await confirmSubmitted(context(chain.rpcUrl));
    expect(await intent(landed.id)).toMatchObject({
      status: 'confirmed',
      transactionSignature: landed.signature,
    });
    expect(await eventsOf(db)).toEqual([
      `transaction_intent.submitted ${landed.id}`,
      `transaction_intent.confirmed ${landed.id}`,
    ]);
    expect(await isDue()).toBe(false);
  });

  test('one that did not land waits while it still could, and expires afterwards', async () => {
    const unsent = await prepare();
    await meetHistory(worker);
    expect(await settle(chain.rpcUrl)).toEqual({ landed: [], expired: 0, held: 1 });
    chain.advanceSlots(WINDOW);
    expect(await settle(chain.rpcUrl)).toEqual({ landed: [], expired: 1, held: 0 });
    expect(await eventsOf(db)).toEqual([`transaction_intent.expired ${unsent.id}`]);
  });

  test('one without a height waits for its blockhash', async () => {
    const unsent = await prepare({ timed: true });
    await meetHistory(worker);
    expect(await settle(chain.rpcUrl)).toMatchObject({ held: 1 });
    expect(await statusOf(unsent)).toBe('prepared');
    const landed = await prepare({ timed: true });
    await land(landed);
    expect(await settle(chain.rpcUrl)).toMatchObject({ landed: [landed.id], held: 1 });
  });

  test('none expires while a node that counts says nothing, and what another lists still counts', async () => {
    const [landed, unsent] = [await prepare(), await prepare()];
    await land(landed);
    chain.advanceSlots(WINDOW);
    await meetHistory(worker);
    expect(await settle(UNREACHABLE)).toEqual({ landed: [], expired: 0, held: 2 });
    expect(await settle(chain.rpcUrl, UNREACHABLE)).toEqual({ landed: [landed.id], expired: 0, held: 1 });
    expect(await statusOf(unsent)).toBe('prepared');
  });

  test('nothing about intents without a submission is decided by a transaction of another message', async () => {
    const [unsent, other] = [await prepare(), await prepare()];
    await db`delete from transaction_intents where id = ${other.id}`;
    await land(other);
    chain.advanceSlots(WINDOW);
    await meetHistory(worker);
    expect(await settle(chain.rpcUrl)).toEqual({ landed: [], expired: 1, held: 0 });
    expect(await statusOf(unsent)).toBe('expired');
  });
});

test('an expiry that was decided in another history changes nothing', async () => {
  await db`insert into database_histories select database_history(), '-infinity'`;
  const overdue = await prepare();
  const end = [{ intentId: overdue.id, status: 'expired' as const }];
  expect(await endIntents(context(chain.rpcUrl), end, new Map(), 'before the promotion')).toBe(0);
  expect(await statusOf(overdue)).toBe('prepared');
});

test('a history that the migrations began has no suspects', async () => {
  await db`insert into database_histories select database_history(), '-infinity'`;
  const overdue = await prepare();
  expect(await isDue()).toBe(false);
  expect(await expireIntents(context(chain.rpcUrl), null, 10)).toBe(1);
  expect(await statusOf(overdue)).toBe('expired');
});
