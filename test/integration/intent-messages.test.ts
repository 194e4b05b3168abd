import { beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Database } from '../../src/db/client.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../src/intents/prepare/prepare-intent.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { unsignedTransfer, versionOneTransfer } from '../support/intents/intent-transactions.ts';
import { preparing } from '../support/intents/intents.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { openDatabase } from '../support/processes/worker-context.ts';

const payer = Keypair.generate().publicKey;
const newBlockhash = () => bs58.encode(crypto.getRandomValues(new Uint8Array(32)));

/** A transfer in each wire version, and where its message is. */
const versions: [string, () => Uint8Array, (bytes: Uint8Array) => Uint8Array][] = [
  ['legacy', () => unsignedTransfer(payer, { blockhash: newBlockhash() }), (bytes) => bytes.subarray(65)],
  ['version 0', versionZeroTransfer, (bytes) => bytes.subarray(65)],
  [
    'version 1',
    () => versionOneTransfer(payer, { blockhash: newBlockhash() }),
    (bytes) => bytes.subarray(0, -64),
  ],
];

function versionZeroTransfer(): Uint8Array {
  const transfer = SystemProgram.transfer({
    fromPubkey: payer,
    toPubkey: Keypair.generate().publicKey,
    lamports: 1n,
  });
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: newBlockhash(),
    instructions: [transfer],
  });
  return new VersionedTransaction(message.compileToV0Message([])).serialize();
}

async function check(accountId: string, transaction: Uint8Array) {
  const preparation = {
    accountId,
    kind: 'token_transfer',
    expectedSigner: payer.toBase58(),
    transaction,
    policy: openPolicy,
    lastValidBlockHeight: 1n,
    expiresInMs: 60_000,
  };
  return checkPreparation(preparation, [], systemClock);
}

async function prepare(db: Database, accountId: string, transaction: Uint8Array): Promise<string> {
  const checked = await check(accountId, transaction);
  return (await db.begin((sql) => prepareIntent(sql, checked, preparing))).id;
}

describe('a message belongs to one intent', () => {
  let db: Database;
  let accountId: string;

  beforeAll(async () => {
    db = await openDatabase();
    accountId = await insertAccount(db);
  });

  test.each(versions)(
    '%s: another preparation is refused, whoever asks, and names the intent',
    async (_version, make) => {
      const bytes = make();
      const first = await prepare(db, accountId, bytes);
      for (const account of [accountId, await insertAccount(db)])
        await expect(prepare(db, account, bytes)).rejects.toThrow(`intent ${first} has this message already`);
      expect(await db`select id from transaction_intents where prepared_transaction = ${bytes}`).toHaveLength(
        1,
      );
    },
  );

  test.each(versions)('%s: its hash covers the signed bytes', async (_version, make, messageOf) => {
    const bytes = make();
    const expected = createHash('sha256').update(messageOf(bytes)).digest();
    bytes.subarray(bytes[0] === 0x81 ? -64 : 1).fill(7, 0, 64);
    const [row] = await db<{ hash: Uint8Array }[]>`select intent_message_hash(${bytes}) as hash`;
    expect(Buffer.from(row?.hash ?? [])).toEqual(expected);
  });

  test('also when its intent has expired, and its transaction could still land', async () => {
    const bytes = unsignedTransfer(payer, { blockhash: newBlockhash() });
    const first = await prepare(db, accountId, bytes);
    await db`update transaction_intents set status = 'expired', completed_at = now() where id = ${first}`;
    await expect(prepare(db, accountId, bytes)).rejects.toThrow(first);
  });

  test('one of several simultaneous preparations has it', async () => {
    const checked = await check(accountId, unsignedTransfer(payer, { blockhash: newBlockhash() }));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => db.begin((sql) => prepareIntent(sql, checked, preparing))),
    );
    const prepared = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(prepared).toHaveLength(1);
    const [row] = prepared as PromiseFulfilledResult<{ id: string }>[];
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(String(outcome.reason)).toContain(`intent ${row?.value.id} has this message already`);
  });

  test('a transaction that was refused one goes on, and one that fails leaves the message free', async () => {
    const [taken, free] = [1, 2].map(() => unsignedTransfer(payer, { blockhash: newBlockhash() }));
    if (taken === undefined || free === undefined) throw new Error('two transfers were made');
    await prepare(db, accountId, taken);
    const [refused, accepted] = await Promise.all([check(accountId, taken), check(accountId, free)]);
    const failing = db.begin(async (sql) => {
      await prepareIntent(sql, accepted, preparing);
      throw new Error('the caller fails');
    });
    await expect(failing).rejects.toThrow('the caller fails');
    await db.begin(async (sql) => {
      await expect(prepareIntent(sql, refused, preparing)).rejects.toThrow('has this message already');
      await prepareIntent(sql, accepted, preparing);
    });
  });
});
