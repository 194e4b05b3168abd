import { describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import {
  PredictionRoundSchema,
  RoundPredictionsSchema,
  StandingsSchema,
} from '../../src/features/predictions/rounds/schema.ts';
import { voidRound } from '../../src/features/predictions/rounds/void-round.ts';
import { unpublishedLimits } from '../../src/shared/contract-limits.ts';
import type { ProblemCode } from '../../src/shared/problem-table.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { createPredictionStage, MINUTE_MS } from '../support/predictions/prediction-stage.ts';

const stage = await createPredictionStage();
async function pass(minutes: number) {
  stage.clock.advance(minutes * MINUTE_MS);
  await stage.work();
  stage.dropCaches();
}

async function voidNow(id: string) {
  const { db, context, clock } = stage;
  await db.begin((transaction) => voidRound(transaction, context.outbox, clock, id));
  stage.dropCaches();
}

async function json(path: string) {
  const response = await stage.get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

/** `expectProblem` takes the status of mutations; reads answer 404 for a token without predictions (contract/predictions#token-not-enabled). */
async function expectReadProblem(path: string, status: number, code: ProblemCode) {
  const response = await stage.get(path);
  expect(await response.json()).toMatchObject({ status, code });
  expect(response.status).toBe(status);
}

const NO_STANDINGS = { data: [], page: { hasMore: false, nextCursor: null } };
interface StandingsPage {
  data: { rank: number }[];
  page: { hasMore: boolean; nextCursor: string | null };
}

const reads = ['', '/ROUND', '/ROUND/predictions', '/ROUND/standings'];
const roundReads = reads.slice(1);

describe('rounds', () => {
  test('are listed newest first, page by page, each as it reads alone', async () => {
    const mint = await stage.launch();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await stage.planNow(mint));
    const listed: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, page } = (await json(`/tokens/${mint}/prediction-rounds?limit=2${cursor}`)) as {
        data: { id: string }[];
        page: { hasMore: boolean; nextCursor: string | null };
      };
      for (const round of data) {
        expect(Value.Check(PredictionRoundSchema, round)).toBe(true);
        expect(round).toEqual(
          (await json(`/tokens/${mint}/prediction-rounds/${round.id}`)) as { id: string },
        );
      }
      listed.push(...data.map(({ id }) => id));
      expect(page.hasMore).toBe(page.nextCursor !== null);
      if (page.nextCursor === null) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(listed).toEqual(ids);
  });

  test('are filtered by status, page by page', async () => {
    const mint = await stage.launch();
    const [planned, , voided] = [
      await stage.planNow(mint),
      await stage.planNow(mint),
      await stage.planNow(mint),
    ];
    await voidNow(voided);
    type List = { data: { id: string }[]; page: { nextCursor: string | null } };
    const list = async (query: string) =>
      (await json(`/tokens/${mint}/prediction-rounds?${query}`)) as unknown as List;
    expect((await list('status=voided')).data.map(({ id }) => id)).toEqual([voided]);
    const { page } = await list('status=scheduled&limit=1');
    const rest = await list(`status=scheduled&limit=1&cursor=${page.nextCursor}`);
    expect(rest).toMatchObject({ data: [{ id: planned }], page: { nextCursor: null } });
    const path = `/tokens/${mint}/prediction-rounds`;
    await expectReadProblem(`${path}?cursor=${page.nextCursor}`, 400, 'cursor_invalid');
    await expectReadProblem(`${path}?status=over`, 422, 'validation_failed');
  });

  test('of a token without any are an empty page', async () => {
    const mint = await stage.launch();
    const page = { hasMore: false, nextCursor: null };
    expect(await json(`/tokens/${mint}/prediction-rounds`)).toEqual({ data: [], page });
  });

  test.each(['1.5', '2.25'])('show their history, and count the participants: at %s', async (price) => {
    const { id, path, mint } = await stage.openRound({ minimumBalanceRaw: 7n, prizePoolLamports: 9n });
    await stage.insertPrediction(id, '1');
    await stage.insertPrediction(id, '2');
    stage.dropCaches();
    const open = {
      id,
      mintAddress: mint,
      status: 'open',
      participantCount: 2,
      lockedAt: null,
      settledAt: null,
    };
    expect(await json(path)).toMatchObject({ ...open, minimumBalanceRaw: '7', prizePoolLamports: '9' });
    await stage.trade(mint, 0, price);
    await pass(1);
    expect(await json(path)).toMatchObject({ status: 'locked', participantCount: 2, settledAt: null });
    await pass(1);
    const settled = { status: 'settled', participantCount: 2, settlementPriceInSol: price };
    expect(await json(path)).toMatchObject(settled);
    expect((await json(path)).settledAt).toBe(stage.clock.now().toISOString());
  });

  test.each(reads)('%s of an unknown or hidden token do not exist', async (read) => {
    const { mint, id } = await stage.openRound();
    const path = read.replace('ROUND', id);
    await stage.db`update tokens set hidden = true where mint_address = ${mint}`;
    const code = path === '' ? 'prediction_token_not_enabled' : 'prediction_round_not_found';
    await expectReadProblem(`/tokens/${mint}/prediction-rounds${path}`, 404, code);
    await expectReadProblem(`/tokens/${newAddress()}/prediction-rounds${path}`, 404, code);
  });

  test.each(reads)('%s of a token that has none by its launch are 404', async (read) => {
    for (const enabled of [false, null]) {
      const mint = await stage.launch(enabled);
      const path = read.replace('ROUND', await stage.planNow(mint));
      const code = ['', '/ROUND'].includes(read)
        ? 'prediction_token_not_enabled'
        : 'prediction_round_not_found';
      await expectReadProblem(`/tokens/${mint}/prediction-rounds${path}`, 404, code);
    }
  });

  test.each(roundReads)('%s under another mint, or unknown, are not found', async (read) => {
    const { id } = await stage.openRound();
    const other = await stage.launch();
    for (const unknown of [id, crypto.randomUUID()]) {
      const path = `/tokens/${other}/prediction-rounds${read.replace('ROUND', unknown)}`;
      await expectReadProblem(path, 404, 'prediction_round_not_found');
    }
  });
});

describe('exact values', () => {
  test('are an aggregate until the lock is stored, however late it is, then every entry, page by page', async () => {
    const { id, path } = await stage.openRound();
    const ids: string[] = [];
    for (const price of ['0.5', '1.25', '3']) ids.push(await stage.insertPrediction(id, price));
    const aggregate = { visibility: 'aggregate', participantCount: 3 };
    expect(await json(`${path}/predictions`)).toEqual(aggregate);
    // Past `locksAt`, but no worker has locked the round yet.
    stage.clock.advance(MINUTE_MS);
    stage.dropCaches();
    expect(await json(`${path}/predictions`)).toEqual(aggregate);
    await pass(0);
    const first = await json(`${path}/predictions?limit=2`);
    expect(Value.Check(RoundPredictionsSchema, first)).toBe(true);
    expect(first).toMatchObject({ visibility: 'exact', participantCount: 3, page: { hasMore: true } });
    const { nextCursor } = first.page as { nextCursor: string };
    const rest = await json(`${path}/predictions?limit=2&cursor=${nextCursor}`);
    expect(rest).toMatchObject({ visibility: 'exact', page: { hasMore: false, nextCursor: null } });
    const entries = [...(first.data as { id: string }[]), ...(rest.data as { id: string }[])];
    expect(entries.map((entry) => entry.id)).toEqual(ids);
    expect(entries).toMatchObject([
      { predictedPriceInSol: '0.5', username: 'someone' },
      { predictedPriceInSol: '1.25' },
      { predictedPriceInSol: '3' },
    ]);
  });

  test('cannot be inferred before the lock: bodies and tags depend on the count alone', async () => {
    const seen = async (price: string) => {
      const { id, path } = await stage.openRound();
      await stage.insertPrediction(id, price);
      stage.dropCaches();
      const response = await stage.get(`${path}/predictions`);
      return [await response.text(), response.headers.get('etag'), response.headers.get('content-length')];
    };
    expect(await seen('0.000000000000000001')).toEqual(await seen('999999999999.5'));
  });

  test('have no cursor before the lock: every one is refused, as it is afterwards when it is another round’s', async () => {
    const locked = await stage.openRound();
    for (const price of ['1', '2']) await stage.insertPrediction(locked.id, price);
    await pass(1);
    const { page } = (await json(`${locked.path}/predictions?limit=1`)) as { page: { nextCursor: string } };
    const open = await stage.openRound();
    await expectReadProblem(`${open.path}/predictions?cursor=${page.nextCursor}`, 400, 'cursor_invalid');
    await pass(1);
    await expectReadProblem(`${open.path}/predictions?cursor=${page.nextCursor}`, 400, 'cursor_invalid');
    const { mint } = locked;
    await expectReadProblem(
      `/tokens/${mint}/prediction-rounds?cursor=${page.nextCursor}`,
      400,
      'cursor_invalid',
    );
  });

  test('of a round voided before its lock stay hidden for ever; of one voided after it they stay readable', async () => {
    const early = await stage.openRound();
    await stage.insertPrediction(early.id, '1');
    await voidNow(early.id);
    expect(await json(early.path)).toMatchObject({ status: 'voided', participantCount: 1, lockedAt: null });
    expect(await json(`${early.path}/predictions`)).toEqual({ visibility: 'aggregate', participantCount: 1 });
    await expectReadProblem(`${early.path}/standings`, 409, 'prediction_exact_values_locked');

    const late = await stage.openRound();
    await stage.insertPrediction(late.id, '1');
    await pass(1);
    await voidNow(late.id);
    expect(await json(`${late.path}/predictions`)).toMatchObject({
      visibility: 'exact',
      participantCount: 1,
    });
    expect(await json(`${late.path}/standings`)).toEqual(NO_STANDINGS);
  });
});

describe('standings', () => {
  test('are refused before the lock, empty until the settlement, then best first with the payouts', async () => {
    const { id, path, mint } = await stage.openRound({ prizePoolLamports: 100n });
    const { key } = await stage.member();
    const far = await stage.insertPrediction(id, '3', undefined, key.accountId);
    const near = await stage.insertPrediction(id, '0.9', stage.fromNow(0.2), key.accountId);
    const nearEarlier = await stage.insertPrediction(id, '1.1', stage.fromNow(0.1));
    await stage.trade(mint, 0, '1');
    await expectReadProblem(`${path}/standings`, 409, 'prediction_exact_values_locked');
    await pass(1);
    expect(await json(`${path}/standings`)).toEqual(NO_STANDINGS);
    await pass(1);
    const standings = await json(`${path}/standings`);
    expect(Value.Check(StandingsSchema, standings)).toBe(true);
    expect(standings.data).toMatchObject([
      { id: nearEarlier, rank: 1, distancePpm: '100000', payoutLamports: '55' },
      { id: near, rank: 2, distancePpm: '100000', payoutLamports: '27' },
      { id: far, rank: 3, distancePpm: '2000000', payoutLamports: '18' },
    ]);
    const own = (await (await stage.get('/predictions', key)).json()) as { data: object[] };
    expect(own.data).toMatchObject([
      { id: near, rank: 2, distancePpm: '100000', payoutLamports: '27' },
      { id: far, rank: 3, distancePpm: '2000000', payoutLamports: '18' },
    ]);
  });

  test('have no payout where nothing was won', async () => {
    const { id, path, mint } = await stage.openRound({ prizePoolLamports: 1n });
    await stage.insertPrediction(id, '1');
    await stage.insertPrediction(id, '2');
    await stage.trade(mint, 0, '1');
    await pass(2);
    const { data } = (await json(`${path}/standings`)) as { data: object[] };
    expect(data[0]).toMatchObject({ payoutLamports: '1' });
    expect(data[1]).not.toHaveProperty('payoutLamports');
  });

  test('go on after the best 500, page by page, each rank once', async () => {
    const { id, path, mint } = await stage.openRound();
    await stage.db`
      insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
        evaluation_slot, balance_raw, submitted_at)
      select gen_random_uuid(), ${id}, ${(await stage.member()).key.accountId}, 'w' || n, 'u', n, 'accepted', 1, 1, now()
      from generate_series(1, 1010) n`;
    await stage.trade(mint, 0, '1');
    await pass(2);
    const ranksOf = async (limit: string) => {
      const pages: number[][] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = `${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
        const { data, page } = (await json(`${path}/standings?${query}`)) as unknown as StandingsPage;
        pages.push(data.map(({ rank }) => rank));
        expect(page.hasMore).toBe(page.nextCursor !== null);
        cursor = page.nextCursor;
      }
      expect(pages.flat()).toEqual(Array.from({ length: 1_010 }, (_, index) => index + 1));
      return pages.map(({ length }) => length);
    };
    const { predictionStandings } = unpublishedLimits;
    expect(await ranksOf('')).toEqual([predictionStandings, predictionStandings, 10]);
    expect(await ranksOf('limit=100')).toEqual([...Array(10).fill(100), 10]);
    const { page } = (await json(`${path}/standings?limit=2`)) as unknown as StandingsPage;
    const other = await stage.openRound();
    for (const wrong of [`${other.path}/standings?cursor=${page.nextCursor}`, `${path}/standings?cursor=x`])
      await expectReadProblem(wrong, 400, 'cursor_invalid');
    await expectReadProblem(`${path}/standings?limit=101`, 422, 'validation_failed');
  });
});
