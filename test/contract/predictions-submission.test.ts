import { beforeEach, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { documentedEvents } from '../../src/documentation/events/documented-events.ts';
import { PredictionSchema } from '../../src/features/predictions/submissions/schema.ts';
import type { ProblemCode } from '../../src/shared/problem-table.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { expectProblem } from '../support/api/problems.ts';
import { holdLocks } from '../support/database/held-locks.ts';
import {
  createPredictionStage,
  type Member,
  type MemberOptions,
  MINUTE_MS,
} from '../support/predictions/prediction-stage.ts';

const stage = await createPredictionStage();
let mint: string;
let roundId: string;

beforeEach(async () => {
  stage.chain.setFaults({});
  mint = await stage.launch();
  roundId = await stage.open(mint);
});

/** A wallet that may predict. */
async function holder(options: MemberOptions = {}, amountRaw = 250n): Promise<Member> {
  const member = await stage.member(options);
  stage.give(member, mint, amountRaw);
  return member;
}

async function accepted(response: Response): Promise<Record<string, string | null>> {
  const body = await response.json();
  expect(body).toMatchObject({ status: 'accepted' });
  expect(response.status).toBe(201);
  return body as Record<string, string | null>;
}

async function stored(): Promise<number> {
  const [row] = await stage.db<{ count: number }[]>`
    select count(*)::int as count from predictions where round_id = ${roundId}`;
  return row?.count ?? 0;
}

/** The code that answers, with those of the causes. */
async function codesOf(response: Response): Promise<ProblemCode[]> {
  const { code } = (await response.clone().json()) as { code: ProblemCode };
  const { causes = [] } = await expectProblem(response, code);
  for (const cause of causes)
    expect(cause).toMatchObject({ title: expect.any(String), detail: expect.any(String) });
  return [code, ...causes.map((cause) => cause.code)];
}

describe('a prediction', () => {
  test('is accepted, found where Location says, and sent to its account as an event', async () => {
    const member = await holder();
    const response = await stage.predict(member, roundId, '0.000000031');
    const prediction = await accepted(response);
    expect(Value.Check(PredictionSchema, prediction)).toBe(true);
    expect(prediction).toMatchObject({
      roundId,
      mintAddress: mint,
      walletAddress: member.address,
      predictedPriceInSol: '0.000000031',
      balanceRaw: '250',
      submittedAt: stage.clock.now().toISOString(),
      rank: null,
      distancePpm: null,
      payoutLamports: null,
    });
    expect(BigInt(prediction.evaluationSlot ?? '')).toBeLessThan(stage.chain.ledger.slot);
    const location = response.headers.get('location') ?? '';
    expect(location).toBe(`/api/v2/predictions/${prediction.id}`);
    const found = await fetch(`${stage.api.origin}${location}`, { headers: member.key.header });
    expect(found.status).toBe(200);
    expect(await found.json()).toEqual(prediction);
    const [event] = await stage.db<{ type: string; accountId: string; body: string }[]>`
      select type, account_id, body from events where subject = ${prediction.id ?? ''}`;
    expect(event).toMatchObject({
      type: 'build.service.prediction.submitted.v1',
      accountId: member.key.accountId,
    });
    const { data } = JSON.parse(event?.body ?? '');
    expect(data).toEqual(prediction);
    expect(Value.Check(documentedEvents['prediction.submitted'].schema, data)).toBe(true);
  });

  test('does not exist for any other account', async () => {
    const member = await holder();
    const { id } = await accepted(await stage.predict(member, roundId, '1'));
    const colleague = await createTestKey(stage.db, { accountId: member.key.accountId });
    expect((await stage.get(`/predictions/${id}`, colleague)).status).toBe(200);
    const stranger = await createTestKey(stage.db, { walletAddress: member.address });
    await expectProblem(await stage.get(`/predictions/${id}`, stranger), 'prediction_not_found');
    const unknown = await stage.get(`/predictions/${crypto.randomUUID()}`, member.key);
    await expectProblem(unknown, 'prediction_not_found');
  });

  test('is in the list of its account, newest first, by round and status, and in no other', async () => {
    const member = await holder();
    const colleague = await createTestKey(stage.db, { accountId: member.key.accountId });
    const older = await accepted(await stage.predict(member, roundId, '1'));
    const [elsewhere] = await stage.db<{ id: string }[]>`
      insert into prediction_rounds (id, mint_address, status, minimum_balance_raw, prize_pool_lamports,
        requires_delegated_intent, opens_at, locks_at, settles_at, created_at, updated_at)
      select gen_random_uuid(), mint_address, 'voided', 0, 0, false, opens_at, locks_at, settles_at, now(), now()
      from prediction_rounds where id = ${roundId} returning id`;
    const voided = Bun.randomUUIDv7();
    await stage.db`
      insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
        evaluation_slot, balance_raw, submitted_at)
      values (${voided}, ${elsewhere?.id ?? ''}, ${member.key.accountId}, ${member.address}, 'u', 1, 'voided', 1, 1, now())`;
    type List = { data: { id: string }[]; page: { nextCursor: string | null } };
    const list = async (query = '', key = colleague) =>
      (await (await stage.get(`/predictions${query}`, key)).json()) as List;
    const all = await list();
    expect(all.data).toHaveLength(2);
    expect(all.data.find(({ id }) => id === older.id)).toEqual(older as { id: string });
    expect(all.data.map(({ id }) => id)).toEqual([voided, older.id ?? ''].toSorted().toReversed());
    const first = await list('?limit=1');
    const rest = await list(`?limit=1&cursor=${first.page.nextCursor}`);
    expect([...first.data, ...rest.data]).toEqual(all.data);
    expect(rest.page.nextCursor).toBeNull();
    const ids = async (query: string) => (await list(query)).data.map(({ id }) => id);
    expect(await ids(`?roundId=${roundId.toUpperCase()}`)).toEqual([older.id ?? '']);
    expect(await ids('?status=voided')).toEqual([voided]);
    expect(await ids(`?status=voided&roundId=${roundId}`)).toEqual([]);
    expect(await ids(`?roundId=${crypto.randomUUID()}`)).toEqual([]);
    const stranger = await createTestKey(stage.db, { walletAddress: member.address });
    expect((await list('', stranger)).data).toEqual([]);
    const foreign = await stage.get(`/predictions?limit=1&cursor=${first.page.nextCursor}`, stranger);
    await expectProblem(foreign, 'cursor_invalid');
  });

  test('sent again under its key is answered again, also after the lock; under another key it is refused', async () => {
    const member = await holder();
    const idempotencyKey = crypto.randomUUID();
    const first = await stage.predict(member, roundId, '2', { idempotencyKey });
    stage.clock.advance(MINUTE_MS);
    await stage.work();
    const replay = await stage.predict(member, roundId, '2', { idempotencyKey });
    expect(replay.status).toBe(201);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.headers.get('location')).toBe(first.headers.get('location') ?? '');
    expect(await replay.text()).toBe(await first.text());
  });

  test('is limited to one per wallet and round, however many are sent at once', async () => {
    const member = await holder();
    const second = await createTestKey(stage.db, { walletAddress: member.address });
    const attempts = Array.from({ length: 20 }, (_, index) =>
      stage.predict(index % 2 === 0 ? member : { ...member, key: second }, roundId, `1.${index + 1}1`),
    );
    const statuses = (await Promise.all(attempts)).map(async (response) =>
      response.status === 201 ? 'accepted' : (await codesOf(response)).join(),
    );
    const outcomes = await Promise.all(statuses);
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'prediction_already_submitted')).toHaveLength(19);
    expect(await stored()).toBe(1);
    const [{ events }] = (await stage.db`
      select count(*)::int as events from events where account_id in (${member.key.accountId}, ${second.accountId})`) as [
      { events: number },
    ];
    expect(events).toBe(1);
  });
});

describe('the balance', () => {
  test('is summed over all accounts of the wallet, and exactly the minimum is enough', async () => {
    const member = await stage.member();
    stage.give(member, mint, 60n);
    stage.give(member, mint, 40n);
    expect(await accepted(await stage.predict(member, roundId, '1'))).toMatchObject({ balanceRaw: '100' });
  });

  test('counts once it is finalized, not before', async () => {
    const member = await holder({}, 99n);
    const body = await expectProblem(
      await stage.predict(member, roundId, '1'),
      'prediction_insufficient_balance',
    );
    expect(body.context).toMatchObject({ balanceRaw: '99', minimumBalanceRaw: '100' });
    const { headSlot } = { headSlot: stage.chain.ledger.slot };
    expect(BigInt(String(body.context?.evaluationSlot))).toBeLessThan(headSlot);
    stage.give(member, mint, 1n);
    await accepted(await stage.predict(member, roundId, '1'));
  });

  test('of a mint that is not on chain yet is zero', async () => {
    const body = await expectProblem(
      await stage.predict(await stage.member(), roundId, '1'),
      'prediction_insufficient_balance',
    );
    expect(body.context).toMatchObject({ balanceRaw: '0' });
  });

  test('that no node reports is a 503 that leaves the key free, unless another check fails first', async () => {
    const member = await holder();
    const idempotencyKey = crypto.randomUUID();
    stage.chain.setFaults({ down: 'unavailable' });
    const response = await stage.predict(member, roundId, '1', { idempotencyKey });
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    const body = await expectProblem(response, 'prediction_balance_unavailable');
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
    expect(await codesOf(await stage.predict(member, roundId, '0'))).toEqual([
      'prediction_price_out_of_range',
      'prediction_balance_unavailable',
    ]);
    stage.chain.setFaults({});
    await accepted(await stage.predict(member, roundId, '1', { idempotencyKey }));
  });
});

describe('a submission is refused', () => {
  test('for a round that does not exist, whatever else is wrong', async () => {
    const member = await stage.member({ username: null, verified: false });
    expect(await codesOf(await stage.predict(member, crypto.randomUUID(), '0'))).toEqual([
      'prediction_round_not_found',
    ]);
    await stage.db`update tokens set hidden = true where mint_address = ${mint}`;
    expect(await codesOf(await stage.predict(member, roundId, '1'))).toEqual(['prediction_round_not_found']);
  });

  test.each<[string, ProblemCode, MemberOptions, bigint]>([
    ['a username', 'prediction_username_required', { username: null }, 100n],
    ['a verification', 'prediction_wallet_not_verified', { verified: false }, 100n],
    ['a balance', 'prediction_insufficient_balance', {}, 99n],
  ])('without %s', async (_what, code, options, amountRaw) => {
    const member = await holder(options, amountRaw);
    expect(await codesOf(await stage.predict(member, roundId, '1'))).toEqual([code]);
    expect(await stored()).toBe(0);
  });

  test('before the round opens, at its lock though no worker has locked it yet, and when it is voided', async () => {
    const member = await holder();
    const scheduled = await stage.planNow(mint, { opensAt: stage.fromNow(0.5) });
    const early = await expectProblem(
      await stage.predict(member, scheduled, '1'),
      'prediction_round_not_open',
    );
    expect(early.context).toMatchObject({
      roundStatus: 'scheduled',
      locksAt: stage.fromNow(1).toISOString(),
    });
    stage.clock.advance(MINUTE_MS);
    const late = await expectProblem(await stage.predict(member, roundId, '1'), 'prediction_round_not_open');
    expect(late.context).toMatchObject({ roundStatus: 'open' });
    await stage.work();
    expect(await codesOf(await stage.predict(member, roundId, '1'))).toEqual(['prediction_round_not_open']);
  });

  test('when a concurrent lock closes the round: the one statement waits for it, and changes nothing', async () => {
    const member = await holder();
    const locking = await holdLocks(
      stage.db,
      (transaction) => transaction`
        update prediction_rounds set status = 'locked', locked_at = now(), locked_participant_count = 0
        where id = ${roundId}`,
    );
    const submission = stage.predict(member, roundId, '1');
    await locking.untilBlocked('the statement waits', /with guard as.*predictions/s);
    await locking.commit();
    expect(await codesOf(await submission)).toEqual(['prediction_round_not_open']);
    expect(await stored()).toBe(0);
  });

  test('with 409 for a token that has no predictions by its launch', async () => {
    mint = await stage.launch(false);
    roundId = await stage.open(mint);
    const response = await stage.predict(await holder(), roundId, '1');
    expect(response.status).toBe(409);
    expect(await codesOf(response)).toEqual(['prediction_token_not_enabled']);
  });

  test('for another wallet than the key’s, without any fact about that wallet', async () => {
    const member = await holder();
    const other = await holder();
    await accepted(await stage.predict(other, roundId, '1'));
    for (const walletAddress of [other.address, (await stage.member({ verified: false })).address]) {
      const response = await stage.predict(member, roundId, '1', { walletAddress });
      expect(await codesOf(response)).toEqual(['prediction_wallet_mismatch']);
    }
    const late = await stage.predict(member, await stage.planNow(mint), '0', {
      walletAddress: other.address,
    });
    expect(await codesOf(late)).toEqual([
      'prediction_round_not_open',
      'prediction_wallet_mismatch',
      'prediction_price_out_of_range',
    ]);
  });

  test('with every failure at once, in the documented order', async () => {
    mint = await stage.launch(false);
    roundId = await stage.planNow(mint);
    const member = await stage.member({ username: null, verified: false });
    expect(await codesOf(await stage.predict(member, roundId, '0'))).toEqual([
      'prediction_token_not_enabled',
      'prediction_round_not_open',
      'prediction_username_required',
      'prediction_wallet_not_verified',
      'prediction_insufficient_balance',
      'prediction_price_out_of_range',
    ]);
  });

  test.each([
    ['zero', '0'],
    ['13 integer digits', '1234567890123'],
    ['19 fractional digits', `0.${'0'.repeat(18)}1`],
    ['19 fractional digits after an integer', `1.${'1'.repeat(19)}`],
    ['60,000 digits', '9'.repeat(60_000)],
  ])('for a well-formed price of %s', async (_name, price) => {
    expect(await codesOf(await stage.predict(await holder(), roundId, price))).toEqual([
      'prediction_price_out_of_range',
    ]);
  });

  test.each(['', '-1', '+1', '01', '1.', '.5', '1.50', '1e3', '1,5', ' 1', '0x1', 'NaN', '0.0'])(
    'as invalid for %p, which is no decimal',
    async (price) => {
      const { errors } = await expectProblem(
        await stage.predict(await holder(), roundId, price),
        'validation_failed',
      );
      expect(errors).toMatchObject([{ path: '/body/predictedPriceInSol', code: 'invalid_format' }]);
    },
  );

  test.each(['999999999999.999999999999999999', '0.000000000000000001'])(
    'not for %p, the limit of what is allowed',
    async (price) => {
      const prediction = await accepted(await stage.predict(await holder(), roundId, price));
      expect(prediction.predictedPriceInSol).toBe(price);
    },
  );
});
