import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { Keypair, PublicKey } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { readinessChecks } from '../../src/api/readiness.ts';
import { createChainHead } from '../../src/chain/head.ts';
import { createChainRpc } from '../../src/chain/rpc.ts';
import { RecentOutcomes } from '../../src/http/observation/recent-outcomes.ts';
import { endIntents, type IntentEnd } from '../../src/intents/end/end-intents.ts';
import { expireIntents } from '../../src/intents/end/expire-intents.ts';
import { checkPreparation } from '../../src/intents/prepare/check-preparation.ts';
import { openPolicy } from '../../src/intents/prepare/preparation.ts';
import { prepareIntent } from '../../src/intents/prepare/prepare-intent.ts';
import { openHintChannel } from '../../src/shared/bus/hint-channel.ts';
import { systemClock } from '../../src/shared/clock.ts';
import type { ProblemCode } from '../../src/shared/problem-table.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestKey, type TestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { honestKey, honestR, identity, malleated, signWithR } from '../support/chain/forged-signatures.ts';
import { unsignedTransfer } from '../support/intents/intent-transactions.ts';
import {
  createPreparedIntent,
  type PrepareOptions,
  preparing,
  signWith,
} from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { intentContext, silentLog } from '../support/processes/worker-context.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { createTestClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { sharedNatsUrl } from '../support/servers/services.ts';

const LIFETIME_MS = 60_000;
/** A reading of the chain head counts this long (src/chain/head.ts). */
const HEAD_FRESH_MS = 10_000;
const chain = await startChain({ slotMs: 'manual' });
atEnd(() => chain.stop());
const clock = createTestClock(new Date());
const rpcs = [createChainRpc(chain.rpcUrl)];
const chainHead = createChainHead(rpcs, clock, silentLog);
const wallet = Keypair.generate();
let api: TestApi;
let key: TestKey;
/** One key of the same account with another wallet; one of another account with the same wallet. */
let otherWallet: TestKey;
let stranger: TestKey;

// Intents are prepared by the real clock.
beforeEach(() => clock.set(new Date()));

beforeAll(async () => {
  const hintChannel = openHintChannel(await sharedNatsUrl(), 'test', silentLog);
  atEnd(() => hintChannel.close());
  api = await startTestApi({
    environment: { RATE_LIMITS: '{"transaction-submit":{"limit":1000,"windowSeconds":60}}' },
    adjust(dependencies) {
      const { database, operational } = dependencies;
      const outcomes = new RecentOutcomes();
      const readiness = readinessChecks({ database, hintChannel, chainHead, rpcs, clock, outcomes });
      Object.assign(dependencies, { clock, chainHead, operational: { ...operational, readiness } });
    },
  });
  const polling = new AbortController();
  const polled = chainHead.run(polling.signal);
  atEnd(async () => {
    polling.abort();
    await polled;
  });
  const { database } = api.dependencies;
  const walletAddress = wallet.publicKey.toBase58();
  key = await createTestKey(database, { walletAddress });
  otherWallet = await createTestKey(database, { accountId: key.accountId });
  stranger = await createTestKey(database, { walletAddress });
});

function prepare(options: Partial<PrepareOptions> = {}) {
  return createPreparedIntent(api.dependencies.database, {
    accountId: key.accountId,
    wallet,
    expiresInMs: LIFETIME_MS,
    ...options,
  });
}

function submit(
  intentId: string,
  signedTransaction: string,
  owner = key,
  ifMatch = '"1"',
): Promise<Response> {
  return submitIntent(api.baseUrl, intentId, { key: owner, signed: signedTransaction, ifMatch });
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Every stored byte that a submission could touch, with the transaction that wrote the row last. */
async function stored(intentId: string) {
  const { database, firstBroadcaster } = api.dependencies;
  // What was accepted before is sent and recorded.
  await firstBroadcaster.drain();
  return Promise.all([
    database`select xmin::text, intent::text from transaction_intents as intent where id = ${intentId}`,
    database`select job::text from intent_broadcasts as job where intent_id = ${intentId}`,
    database`select event::text from events as event where subject = ${intentId} order by recorded_in, id`,
    database`select record::text from idempotency_records as record order by key`,
  ]);
}

async function expectRefused(intentId: string, attempt: () => Promise<Response>, code: ProblemCode) {
  const before = await stored(intentId);
  const problem = await expectProblem(await attempt(), code);
  expect(await stored(intentId)).toEqual(before);
  return problem;
}

/** Ends the intent as the worker does. */
async function finish(intentId: string, end: 'confirmed' | 'failed'): Promise<void> {
  const transactionSignature = '1'.repeat(64);
  const common = { intentId, transactionSignature, slot: 1n };
  const ended: IntentEnd =
    end === 'confirmed'
      ? { ...common, status: end }
      : { ...common, status: end, errorCode: 'solana_transaction_failed' };
  expect(await endIntents(intentContext(api.dependencies.database, [], clock).context, [ended])).toBe(1);
}

/** In the order of contract/intents#submission-checks; each is one thing wrong with a submission. */
const FAULTS = [
  'transaction_intent_not_found',
  'transaction_intent_not_prepared',
  'transaction_intent_expired',
  'transaction_intent_version_conflict',
  'validation_failed',
  'transaction_intent_tampered',
  'transaction_intent_wrong_signer',
  'transaction_intent_invalid_signature',
] as const satisfies ProblemCode[];
type Fault = (typeof FAULTS)[number];
const PAIRS = FAULTS.flatMap((first, at) =>
  FAULTS.slice(at).map((second): [Fault, Fault] => [first, second]),
);

describe('of two faults the first in the order of contract/intents#submission-checks is reported, and nothing changes', () => {
  test.each(PAIRS)('%s before %s', async (...faults) => {
    const has = (fault: Fault) => faults.includes(fault);
    const intent = await prepare({
      expiresInMs: has('transaction_intent_expired') ? -LIFETIME_MS : LIFETIME_MS,
    });
    if (has('transaction_intent_not_prepared')) {
      await api.dependencies.database`
        update transaction_intents set status = 'submitted', submitted_at = now(), signed_transaction = prepared_transaction
        where id = ${intent.id}`;
    }
    const isUnsigned = has('transaction_intent_invalid_signature');
    const bytes = Uint8Array.from(isUnsigned ? intent.unsigned : signWith(intent.unsigned, wallet));
    if (has('transaction_intent_tampered')) bytes[bytes.byteLength - 1] = (bytes.at(-1) ?? 0) ^ 1;
    const text = has('validation_failed') ? base64(bytes.subarray(1)) : base64(bytes);
    const isForeign = has('transaction_intent_not_found');
    const owner = isForeign ? stranger : has('transaction_intent_wrong_signer') ? otherWallet : key;
    const ifMatch = has('transaction_intent_version_conflict') ? '"9"' : '"1"';
    await expectRefused(intent.id, () => submit(intent.id, text, owner, ifMatch), faults[0]);
  });
});

describe('an intent that has ended', () => {
  test.each(['confirmed', 'failed'] as const)('%s: not prepared, and the context says so', async (end) => {
    const intent = await prepare();
    const signed = base64(signWith(intent.unsigned, wallet));
    expect((await submit(intent.id, signed)).status).toBe(202);
    await finish(intent.id, end);
    const problem = await expectRefused(
      intent.id,
      () => submit(intent.id, signed, key, '"3"'),
      'transaction_intent_not_prepared',
    );
    expect(problem.context).toEqual({ status: end });
  });

  test('expired: expired, also with the version it ended with', async () => {
    const intent = await prepare({ expiresInMs: -LIFETIME_MS });
    const { context } = intentContext(api.dependencies.database, [], clock);
    expect(await expireIntents(context, null, 100)).toBeGreaterThan(0);
    const signed = base64(signWith(intent.unsigned, wallet));
    await expectRefused(intent.id, () => submit(intent.id, signed, key, '"2"'), 'transaction_intent_expired');
  });
});

test('a forgery that native crypto accepts is an invalid signature, whether R is the identity or S is too large', async () => {
  const owner = await createTestKey(api.dependencies.database, {
    walletAddress: new PublicKey(honestKey).toBase58(),
  });
  const transaction = unsignedTransfer(new PublicKey(honestKey));
  const checked = await checkPreparation(
    {
      accountId: owner.accountId,
      kind: 'token_transfer',
      expectedSigner: owner.walletAddress,
      transaction,
      policy: openPolicy,
      lastValidBlockHeight: null,
      expiresInMs: LIFETIME_MS,
    },
    [],
    systemClock,
  );
  const { id } = await api.dependencies.database.begin((sql) =>
    prepareIntent(sql, checked, { ...preparing, clock }),
  );
  const message = transaction.subarray(65);
  const signedWith = (signature: Uint8Array) =>
    base64(Buffer.concat([transaction.subarray(0, 1), signature, message]));
  const honest = signWithR(honestR, honestKey, message);
  for (const forged of [signWithR(identity, honestKey, message), malleated(honest)]) {
    await expectRefused(
      id,
      () => submit(id, signedWith(forged), owner),
      'transaction_intent_invalid_signature',
    );
  }
  expect((await submit(id, signedWith(honest), owner)).status).toBe(202);
});

async function chainReadiness() {
  const response = await fetch(`${api.origin}/readyz`);
  const { dependencies } = (await response.json()) as {
    dependencies: { name: string; ready: boolean; required: boolean; detail?: string }[];
  };
  return dependencies.find(({ name }) => name === 'chain');
}

test('the chain head closes the blockhash window without an RPC in the request; a stale one leaves it to the time', async () => {
  const known = () => chainHead.current()?.blockHeight ?? null;
  const lastValidBlockHeight = await eventually('a chain head', async () => known());
  const [inTime, late, lateAndStale] = await Promise.all(
    [0, 1, 2].map(() => prepare({ lastValidBlockHeight })),
  );
  if (inTime === undefined || late === undefined || lateAndStale === undefined) throw new Error('no intents');
  const signed = ({ unsigned }: typeof late) => base64(signWith(unsigned, wallet));
  await eventually('the chain is ready', async () => (await chainReadiness())?.ready === true);
  expect((await submit(inTime.id, signed(inTime))).status).toBe(202);

  chain.advanceSlots(2);
  await eventually('the next chain head', async () => (known() ?? 0n) > lastValidBlockHeight);
  // From here on no node answers: what the process knows decides.
  chain.setFaults({ down: 'unavailable' });
  await expectRefused(late.id, () => submit(late.id, signed(late)), 'transaction_intent_expired');

  clock.advance(HEAD_FRESH_MS + 1);
  // Dependencies are asked once a second.
  const stale = await eventually('the chain is not ready', async () => {
    const chainState = await chainReadiness();
    return chainState?.ready === false && chainState;
  });
  expect(stale).toEqual({
    name: 'chain',
    ready: false,
    required: false,
    detail: 'the chain head is old: intents expire by time only',
  });
  expect((await submit(lateAndStale.id, signed(lateAndStale))).status).toBe(202);
  clock.advance(2 * LIFETIME_MS);
  await expectRefused(late.id, () => submit(late.id, signed(late)), 'transaction_intent_expired');
});
