import { beforeEach, describe, expect, test } from 'bun:test';
import { generateKeyPairSync, sign } from 'node:crypto';
import { type IntentTerms, intentText } from '../../src/features/predictions/intents/signed-text.ts';
import { storePredictionIntent } from '../../src/features/predictions/intents/store-intent.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';
import type { ProblemCode } from '../../src/shared/problem-table.ts';
import { expectProblem } from '../support/api/problems.ts';
import { signText } from '../support/chain/sign-text.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import { createPredictionStage, type Member, MINUTE_MS } from '../support/predictions/prediction-stage.ts';

const stage = await createPredictionStage();
let mint: string;
let roundId: string;
let member: Member;

beforeEach(async () => {
  mint = await stage.launch();
  roundId = await delegatedRound();
  member = await stage.member();
  stage.give(member, mint, 100n);
});

function delegatedRound(): Promise<string> {
  const times = { locksAt: stage.fromNow(10), settlesAt: stage.fromNow(20) };
  return stage.open(mint, { ...times, requiresDelegatedIntent: true });
}

/** Stores an intent; `signature` replaces the one of the wallet over the text. */
async function store(changes: Partial<IntentTerms> = {}, signature?: Uint8Array): Promise<IntentTerms> {
  const terms = {
    id: Bun.randomUUIDv7(),
    accountId: member.key.accountId,
    roundId,
    walletAddress: member.address,
    predictedPriceInSol: normaliseDecimal('1.5'),
    expiresAt: stage.fromNow(1),
    ...changes,
  };
  const bytes = signature ?? signText(intentText(terms), member.wallet);
  const refusal = await stage.db.begin((transaction) =>
    storePredictionIntent(transaction, stage.clock, terms, bytes),
  );
  expect(refusal).toBeNull();
  return terms;
}

async function refused(price: string, ...codes: ProblemCode[]) {
  const response = await stage.predict(member, roundId, price);
  const [code] = codes;
  if (code === undefined) throw new Error('name the code');
  const { causes = [] } = await expectProblem(response, code);
  expect([code, ...causes.map((cause) => cause.code)]).toEqual(codes);
}

describe('a round that requires a delegated intent', () => {
  test('accepts a prediction that its wallet has signed, and uses up the intent', async () => {
    const { id } = await store();
    const response = await stage.predict(member, roundId, '1.5');
    expect(response.status).toBe(201);
    const prediction = (await response.json()) as { id: string };
    expect(prediction).toMatchObject({
      roundId,
      mintAddress: mint,
      walletAddress: member.address,
      predictedPriceInSol: '1.5',
      status: 'accepted',
      balanceRaw: '100',
      submittedAt: stage.clock.now().toISOString(),
    });
    const [intent] = await stage.db`select consumed_by from prediction_intents where id = ${id}`;
    expect(intent).toEqual({ consumedBy: prediction.id });
    const events = await stage.db<{ type: string; accountId: string; body: string }[]>`
      select type, account_id, body from events where subject = ${prediction.id}`;
    expect(
      events.map(({ type, accountId, body }) => ({ type, accountId, data: JSON.parse(body).data })),
    ).toEqual([
      { type: 'build.service.prediction.submitted.v1', accountId: member.key.accountId, data: prediction },
    ]);
    await refused('1.5', 'prediction_already_submitted', 'prediction_intent_consumed');
  });

  test('refuses a prediction without an intent of this round, wallet and account', async () => {
    await refused('1.5', 'prediction_intent_not_found');
    await store({ accountId: (await stage.member()).key.accountId });
    await store({ roundId: await delegatedRound() });
    await store({ walletAddress: (await stage.member()).address });
    await refused('1.5', 'prediction_intent_not_found');
  });

  test('refuses a prediction whose intent has expired, from the very moment on', async () => {
    const { expiresAt } = await store();
    stage.clock.advance(MINUTE_MS - 1);
    await refused('1.6', 'prediction_authorization_invalid');
    stage.clock.advance(1);
    const { context } = await expectProblem(
      await stage.predict(member, roundId, '1.5'),
      'prediction_intent_expired',
    );
    expect(context).toEqual({ expiresAt: expiresAt.toISOString() });
  });

  test('refuses an intent that another prediction has used', async () => {
    const { id } = await store();
    const other = await stage.insertPrediction(roundId, '9');
    await stage.db`update prediction_intents set consumed_by = ${other} where id = ${id}`;
    await refused('1.5', 'prediction_intent_consumed');
  });

  test('refuses an intent that another prediction is using at this moment, and stores nothing', async () => {
    const { id } = await store();
    const other = await stage.insertPrediction(roundId, '9');
    const using = await holdLocks(
      stage.db,
      (transaction) => transaction`update prediction_intents set consumed_by = ${other} where id = ${id}`,
    );
    const refusal = refused('1.5', 'prediction_intent_consumed');
    await using.untilBlocked('the submission waits');
    await using.commit();
    await refusal;
    const stored = await stage.db`select id from predictions where round_id = ${roundId}`;
    expect(stored.map((row) => row.id)).toEqual([other]);
  });

  test('refuses another price than the signed one', async () => {
    await store();
    await refused('1.51', 'prediction_authorization_invalid');
    expect((await stage.predict(member, roundId, '1.5')).status).toBe(201);
  });

  test.each<[string, (terms: IntentTerms) => IntentTerms]>([
    ['id', (terms) => ({ ...terms, id: crypto.randomUUID() })],
    ['account', (terms) => ({ ...terms, accountId: crypto.randomUUID() })],
    ['round', (terms) => ({ ...terms, roundId: crypto.randomUUID() })],
    ['price', (terms) => ({ ...terms, predictedPriceInSol: normaliseDecimal('1.4') })],
    ['expiry', (terms) => ({ ...terms, expiresAt: new Date(terms.expiresAt.getTime() + 1) })],
  ])('refuses a signature over another %s', async (_what, alter) => {
    const expiresAt = stage.fromNow(1);
    const terms = {
      id: Bun.randomUUIDv7(),
      accountId: member.key.accountId,
      roundId,
      walletAddress: member.address,
      predictedPriceInSol: normaliseDecimal('1.5'),
      expiresAt,
    };
    await store(terms, signText(intentText(alter(terms)), member.wallet));
    await refused('1.5', 'prediction_authorization_invalid');
  });

  test('refuses the signature of another key, and bytes that are no signature', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    await store({}, sign(null, Buffer.from('anything'), privateKey));
    await refused('1.5', 'prediction_authorization_invalid');
    await store({}, new Uint8Array(64));
    await refused('1.5', 'prediction_authorization_invalid');
  });

  test('judges the newest intent: a fresh one replaces a wrong one, and a wrong one a good one', async () => {
    await store({}, new Uint8Array(64));
    await store();
    await store({}, new Uint8Array(64));
    await refused('1.5', 'prediction_authorization_invalid');
    await store();
    expect((await stage.predict(member, roundId, '1.5')).status).toBe(201);
  });

  test('does not judge the intent of another wallet than the key’s', async () => {
    const response = await stage.predict(member, roundId, '1.5', {
      walletAddress: (await stage.member()).address,
    });
    const { causes } = await expectProblem(response, 'prediction_wallet_mismatch');
    expect(causes).toBeUndefined();
  });

  test('accepts one prediction under an intent, however many are sent at once', async () => {
    const { id } = await store();
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => stage.predict(member, roundId, '1.5')),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(9);
    const [row] = await stage.db`
      select count(*)::int as count from prediction_intents where id = ${id} and consumed_by is not null`;
    expect(row).toEqual({ count: 1 });
  });
});

test('other rounds need no intent, and use none up', async () => {
  const free = await stage.open(mint);
  const { id } = await store({ roundId: free }, new Uint8Array(64));
  expect((await stage.predict(member, free, '7')).status).toBe(201);
  const [intent] = await stage.db`select consumed_by from prediction_intents where id = ${id}`;
  expect(intent).toEqual({ consumedBy: null });
});
