import { beforeAll, describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import { ed25519PrivateKey } from '../../src/shared/ed25519-private-key.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import {
  createPreparedIntent,
  type PreparedIntent,
  type PrepareOptions,
  signWith,
} from '../support/intents/intents.ts';
import { type IntentSubmission, submitIntent } from '../support/intents/submit-intent.ts';

let api: TestApi;
let wallet: Keypair;
let key: TestKey;

beforeAll(async () => {
  api = await startTestApi();
  wallet = Keypair.generate();
  key = await createTestKey(api.dependencies.database, { walletAddress: wallet.publicKey.toBase58() });
});

function prepare(options: Partial<PrepareOptions> = {}): Promise<PreparedIntent> {
  return createPreparedIntent(api.dependencies.database, { accountId: key.accountId, wallet, ...options });
}

function submit(
  intentId: string,
  signed: Uint8Array | string,
  options: Partial<IntentSubmission> = {},
): Promise<Response> {
  return submitIntent(api.baseUrl, intentId, { key, signed, ...options });
}

/** Everything stored about an intent: row, broadcast jobs, events, idempotency records of the account. */
async function snapshot(intentId: string): Promise<unknown> {
  const { database, firstBroadcaster } = api.dependencies;
  // What was accepted before is sent and recorded.
  await firstBroadcaster.drain();
  return Promise.all([
    database`select * from transaction_intents where id = ${intentId}`,
    database`select * from intent_broadcasts where intent_id = ${intentId}`,
    database`select * from events where subject = ${intentId}`,
    database`select * from idempotency_records where account_id = ${key.accountId} order by key`,
  ]);
}

/** A rejection with this code that changes nothing. */
async function expectRefusal(
  intentId: string,
  attempt: () => Promise<Response>,
  code: Parameters<typeof expectProblem>[1],
) {
  const before = await snapshot(intentId);
  const body = await expectProblem(await attempt(), code);
  expect(await snapshot(intentId)).toEqual(before);
  return body;
}

describe('the right submission', () => {
  test('is accepted: state, version, event and broadcast job together', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    const response = await submit(intent.id, signed, { body: { version: 1 } });
    expect(response.status).toBe(202);
    expect(response.headers.get('location')).toBe(`/api/v2/transaction-intents/${intent.id}`);
    expect(response.headers.get('etag')).toBe('"2"');
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({
      id: intent.id,
      status: 'submitted',
      version: 2,
      error: null,
    });

    const { database } = api.dependencies;
    const [row] = await database<{ signedTransaction: Buffer; status: string }[]>`
      select signed_transaction, status from transaction_intents where id = ${intent.id}`;
    expect(row?.status).toBe('submitted');
    expect(Buffer.compare(row?.signedTransaction ?? Buffer.alloc(0), Buffer.from(signed))).toBe(0);
    expect((await database`select from intent_broadcasts where intent_id = ${intent.id}`).count).toBe(1);
    const [event] = await database<
      { type: string; body: string }[]
    >`select type, body from events where subject = ${intent.id} and type like '%.submitted.%'`;
    expect(event?.type).toBe('build.service.transaction_intent.submitted.v1');
    expect(JSON.parse(event?.body ?? '{}').data).not.toHaveProperty('serializedTransaction');
  });

  test('is accepted once under 50 identical requests at once', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => submit(intent.id, signed, { idempotencyKey: 'same-key-0001' })),
    );
    const fresh = responses.filter(
      ({ status, headers }) => status === 202 && !headers.has('idempotent-replayed'),
    );
    expect(fresh.length).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 202)) {
      await expectProblem(response, 'idempotency_request_in_progress');
    }
    const { database } = api.dependencies;
    const types =
      await database`select type from events where subject = ${intent.id} order by created_at, id`;
    expect(types.map(({ type }) => type)).toEqual(
      ['prepared', 'submitted'].map((name) => `build.service.transaction_intent.${name}.v1`),
    );
  });

  test('is accepted once under 20 different keys at once; the others find it not prepared', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    const responses = await Promise.all(Array.from({ length: 20 }, () => submit(intent.id, signed)));
    expect(responses.filter(({ status }) => status === 202).length).toBe(1);
    for (const response of responses.filter(({ status }) => status !== 202)) {
      await expectProblem(response, 'transaction_intent_not_prepared');
    }
  });

  test('keeps the signature of a co-signer, also when the client sends zeros in its place', async () => {
    const cosigner = Keypair.generate();
    const intent = await prepare({ cosigner });
    const signed = signWith(intent.unsigned, wallet);
    const zeroed = Uint8Array.from(signed);
    const start = 1 + 64;
    zeroed.fill(0, start, start + 64);
    expect((await submit(intent.id, zeroed)).status).toBe(202);
    const [row] = await api.dependencies.database<{ signedTransaction: Buffer }[]>`
      select signed_transaction from transaction_intents where id = ${intent.id}`;
    expect(Buffer.compare(row?.signedTransaction ?? Buffer.alloc(0), Buffer.from(signed))).toBe(0);
  });
});

describe('a wrong submission is refused and changes nothing', () => {
  test('unknown intent, or an intent of another account: 404', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    await expectProblem(await submit(crypto.randomUUID(), signed), 'transaction_intent_not_found');
    const stranger = await createTestKey(api.dependencies.database, { walletAddress: key.walletAddress });
    await expectRefusal(
      intent.id,
      () => submit(intent.id, signed, { key: stranger }),
      'transaction_intent_not_found',
    );
  });

  test('submitted before: not prepared', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    await submit(intent.id, signed);
    await expectRefusal(intent.id, () => submit(intent.id, signed), 'transaction_intent_not_prepared');
  });

  test('past its time: expired', async () => {
    const intent = await prepare({ expiresInMs: -1 });
    await expectRefusal(
      intent.id,
      () => submit(intent.id, signWith(intent.unsigned, wallet)),
      'transaction_intent_expired',
    );
  });

  test('a stale version in If-Match or in the body: version conflict', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    await expectRefusal(
      intent.id,
      () => submit(intent.id, signed, { ifMatch: '"2"' }),
      'transaction_intent_version_conflict',
    );
    await expectRefusal(
      intent.id,
      () => submit(intent.id, signed, { body: { version: 2 } }),
      'transaction_intent_version_conflict',
    );
  });

  test('not canonical base64, not a transaction, trailing bytes: validation', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    const trailing = Buffer.concat([signed, Uint8Array.of(0)]);
    for (const text of [
      '',
      'AAA',
      'not base64!',
      `${Buffer.from(signed).toString('base64')}\n`,
      'AAAA',
      trailing.toString('base64'),
    ]) {
      const body = await expectRefusal(intent.id, () => submit(intent.id, text), 'validation_failed');
      expect(body.errors?.[0]?.path).toBe('/body/signedTransaction');
    }
  });

  test('any byte of the message changed: tampered', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    const changed = Uint8Array.from(signed);
    changed[changed.byteLength - 1] = (changed.at(-1) ?? 0) ^ 1;
    const body = await expectRefusal(
      intent.id,
      () => submit(intent.id, changed),
      'transaction_intent_tampered',
    );
    expect(body.causes).toBeUndefined();
  });

  test('a transaction of another wallet: tampered, caused by the wrong signer', async () => {
    const intent = await prepare();
    const other = Keypair.generate();
    const foreign = await prepare({ wallet: other });
    const body = await expectRefusal(
      intent.id,
      () => submit(intent.id, signWith(foreign.unsigned, other)),
      'transaction_intent_tampered',
    );
    expect(body.causes?.map(({ code }) => code)).toEqual(['transaction_intent_wrong_signer']);
  });

  test('a replaced co-signature: tampered', async () => {
    const intent = await prepare({ cosigner: Keypair.generate() });
    const changed = Uint8Array.from(signWith(intent.unsigned, wallet));
    changed[1 + 64] = (changed[1 + 64] ?? 0) ^ 1;
    await expectRefusal(intent.id, () => submit(intent.id, changed), 'transaction_intent_tampered');
  });

  test('a key pinned to another wallet, or a signature of another wallet of the account: wrong signer', async () => {
    const other = Keypair.generate();
    const otherKey = await createTestKey(api.dependencies.database, {
      accountId: key.accountId,
      walletAddress: other.publicKey.toBase58(),
    });
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    await expectRefusal(
      intent.id,
      () => submit(intent.id, signed, { key: otherKey }),
      'transaction_intent_wrong_signer',
    );
    const byOther = Uint8Array.from(signed);
    const privateKey = ed25519PrivateKey(other.secretKey.subarray(0, 32));
    const signature = sign(null, signed.subarray(65), privateKey);
    byOther.set(signature, 1);
    await expectRefusal(intent.id, () => submit(intent.id, byOther), 'transaction_intent_wrong_signer');
  });

  test('an empty signature, a wrong one, a forgery with a small-order R: invalid signature', async () => {
    const intent = await prepare();
    const unsigned = () => submit(intent.id, intent.unsigned);
    await expectRefusal(intent.id, unsigned, 'transaction_intent_invalid_signature');
    expect(((await (await unsigned()).json()) as { detail: string }).detail).toBe(
      `The transaction is unsigned: the signature of ${wallet.publicKey.toBase58()} is missing.`,
    );
    const wrong = Uint8Array.from(signWith(intent.unsigned, wallet));
    wrong[40] = (wrong[40] ?? 0) ^ 1;
    await expectRefusal(intent.id, () => submit(intent.id, wrong), 'transaction_intent_invalid_signature');
    const forged = Uint8Array.from(intent.unsigned);
    forged[1] = 1;
    await expectRefusal(intent.id, () => submit(intent.id, forged), 'transaction_intent_invalid_signature');
  });

  test('a used idempotency key with another body', async () => {
    const intent = await prepare();
    const signed = signWith(intent.unsigned, wallet);
    await submit(intent.id, signed, { idempotencyKey: 'used-key-0001' });
    const next = await prepare();
    await expectRefusal(
      next.id,
      () => submit(next.id, signWith(next.unsigned, wallet), { idempotencyKey: 'used-key-0001' }),
      'idempotency_key_reused',
    );
  });

  test('the first failing check of several answers', async () => {
    const expired = await prepare({ expiresInMs: -1 });
    await expectRefusal(
      expired.id,
      () => submit(expired.id, 'AAA', { ifMatch: '"9"' }),
      'transaction_intent_expired',
    );
    const open = await prepare();
    await expectRefusal(
      open.id,
      () => submit(open.id, 'AAA', { ifMatch: '"9"' }),
      'transaction_intent_version_conflict',
    );
  });
});

describe('reading an intent', () => {
  test('shows it to its account with its version as ETag, and to nobody else', async () => {
    const intent = await prepare();
    const path = `${api.baseUrl}/transaction-intents/${intent.id}`;
    const response = await fetch(path, { headers: key.header });
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"1"');
    expect(await response.json()).toMatchObject({
      id: intent.id,
      status: 'prepared',
      serializedTransaction: Buffer.from(intent.unsigned).toString('base64'),
      policy: { allowedPrograms: [], maxComputeUnitPrice: null, requireSimulation: false },
      transactionSignature: null,
    });
    const stranger = await createTestKey(api.dependencies.database);
    await expectProblem(await fetch(path, { headers: stranger.header }), 'transaction_intent_not_found');
  });
});
