import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findSettlementPrice } from '../../src/features/predictions/rounds/find-settlement-price.ts';
import { settleRound } from '../../src/features/predictions/rounds/settle-round.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { type DecimalString, normaliseDecimal } from '../../src/shared/decimal.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import {
  createRoundFixture,
  MINUTE_MS,
  PROOF_WAIT_MS,
  type RoundFixture,
} from '../support/predictions/prediction-stage.ts';
import { openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

let rounds: RoundFixture;
let accountId: string;

beforeAll(async () => {
  rounds = createRoundFixture(await openDatabase(), createTestClock());
  accountId = Bun.randomUUIDv7();
  await rounds.db`insert into accounts (id, created_at) values (${accountId}, now())`;
});

/** An open round of a token with a price, and its predictions, all in two statements. */
async function roundWith(
  predictions: readonly RankedPrediction[],
  settlement: string,
  prizePoolLamports = 1_000n,
) {
  await rounds.at(0);
  const mint = await rounds.launch();
  const id = await rounds.plan(mint, { prizePoolLamports });
  await rounds.at(1);
  await rounds.trade(mint, 1, settlement);
  await rounds.db`
    insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
      evaluation_slot, balance_raw, submitted_at)
    select id, ${id}, ${accountId}, 'wallet' || id, 'someone', price, 'accepted', 1, 1, at
    from unnest(${predictions.map((one) => one.id)}::uuid[],
      ${predictions.map((one) => one.predictedPriceInSol)}::numeric[],
      ${predictions.map((one) => one.submittedAt.toISOString())}::timestamptz[]) as p (id, price, at)`;
  return { mint, id };
}

interface Outcome {
  id: string;
  rank: number;
  distancePpm: string;
  payoutLamports: string | null;
}

const outcomesOf = (roundId: string) =>
  rounds.db<Outcome[]>`
    select id, rank, distance_ppm, payout_lamports from predictions where round_id = ${roundId} order by rank`;

const price = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }))
  .map(([whole, fraction]) => normaliseDecimal(`${whole}.${fraction.toString().padStart(18, '0')}`));
/** Crowded around one value, so that distances collide and halves have to be rounded. */
const nearPrice = fc.integer({ min: 1, max: 40 }).map((number) => normaliseDecimal((number / 16).toString()));
const anyPrice = fc.oneof(price, nearPrice);

describe('a settlement', () => {
  test('gives every prediction the rank and distance of the plain rule, for any prices', async () => {
    const prediction = fc.record({
      id: fc.uuid({ version: 7 }),
      predictedPriceInSol: anyPrice,
      submittedAt: fc.integer({ min: 0, max: 3 }).map((second) => new Date(second * 1_000)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(prediction, { maxLength: 30, selector: ({ id }) => id }),
        anyPrice,
        async (predictions, settlement) => {
          const { id } = await roundWith(predictions, settlement);
          await rounds.at(3);
          const outcomes = await outcomesOf(id);
          expect(outcomes.map((one) => ({ id: one.id, distance: BigInt(one.distancePpm) }))).toEqual(
            rank(predictions, settlement),
          );
          expect(outcomes.map((one) => one.rank)).toEqual(predictions.map((_, index) => index + 1));
          const paid = outcomes.reduce((sum, one) => sum + BigInt(one.payoutLamports ?? '0'), 0n);
          expect(paid).toBe(predictions.length === 0 ? 0n : 1_000n);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each<[string, string, bigint]>([
    ['1', '1', 0n],
    ['1.0000005', '1', 1n],
    ['1.000000499999999999', '1', 0n],
    ['0.9999995', '1', 1n],
    ['2', '3', 333_333n],
    ['1', '3', 666_667n],
    ['999999999999.999999999999999999', '0.000000000000000001', (10n ** 30n - 2n) * 1_000_000n],
  ])('puts %s at its distance from %s: %p ppm', async (predicted, settlement, expected) => {
    const submittedAt = new Date(0);
    const [one, other] = [normaliseDecimal(predicted), normaliseDecimal(settlement)];
    expect(distancePpm(one, other)).toBe(expected);
    const { id } = await roundWith(
      [{ id: Bun.randomUUIDv7(), predictedPriceInSol: one, submittedAt }],
      settlement,
    );
    await rounds.at(3);
    expect(await outcomesOf(id)).toMatchObject([{ distancePpm: expected.toString() }]);
  });

  test('of 20,000 predictions is one transaction that pays the best ten', async () => {
    const { mint, id } = await roundWith([], '10000', 10_000_000n);
    await rounds.db`
      insert into predictions (id, round_id, account_id, wallet_address, username, predicted_price_in_sol, status,
        evaluation_slot, balance_raw, submitted_at)
      select gen_random_uuid(), ${id}, ${accountId}, 'w' || n, 'u', n, 'accepted', 1, 1, now()
      from generate_series(1, 20000) n`;
    await rounds.at(3);
    const [sums] = await rounds.db`
      select count(*)::int as predictions, count(rank)::int as ranks, max(rank) as last, count(payout_lamports)::int as paid,
        sum(payout_lamports)::text as lamports, count(distinct xmin::text)::int as transactions
      from predictions where round_id = ${id}`;
    const all = { predictions: 20_000, ranks: 20_000, last: 20_000 };
    expect(sums).toEqual({ ...all, paid: 10, lamports: '10000000', transactions: 1 });
    const [round] =
      await rounds.db`select status, settlement_price_in_sol from prediction_rounds where id = ${id}`;
    expect(round).toEqual({ status: 'settled', settlementPriceInSol: '10000' });
    expect(await findSettlementPrice(rounds.db, mint, rounds.clock.now())).toBe('10000' as DecimalString);
  });

  test('is stored once, whichever of several workers does it', async () => {
    const { mint, id } = await roundWith(
      [{ id: Bun.randomUUIDv7(), predictedPriceInSol: normaliseDecimal('1'), submittedAt: new Date(0) }],
      '1',
    );
    await rounds.at(2);
    await rounds.db`update prediction_rounds set status = 'settling' where id = ${id}`;
    await rounds.prove(mint, rounds.fromNow(2));
    const done = await Promise.all(Array.from({ length: 5 }, () => settleRound(rounds.context, id)));
    expect(done.filter(Boolean)).toHaveLength(1);
    const [events] = await rounds.db`
      select count(*)::int as count from events where subject = ${id} and type like '%settled%'`;
    expect(events).toEqual({ count: 1 });
  });
});

describe('the settlement price', () => {
  const settle = async (mint: string) => {
    const id = await rounds.plan(mint);
    await rounds.at(3);
    const [round] =
      await rounds.db`select status, settlement_price_in_sol as price from prediction_rounds where id = ${id}`;
    return round;
  };
  const startMs = () => rounds.clock.now().getTime();

  async function trades(changes: readonly Parameters<typeof numberedTrade>[2][]): Promise<string> {
    await rounds.at(0);
    const mint = await rounds.launch();
    const list = changes.map((change, index) => numberedTrade(mint, firstNumber + index, change));
    firstNumber += list.length;
    await rounds.db.begin((transaction) => storeTrades(transaction, list));
    return mint;
  }
  let firstNumber = 1_000_000;
  const at = (minutes: number) => new Date(startMs() + minutes * MINUTE_MS);

  test('is that of the last trade in chain order up to settlesAt, however late the worker is', async () => {
    await rounds.at(0);
    const mint = await trades([
      { slot: 30n, blockTime: at(3), spotPriceInSol: '3' },
      { slot: 20n, blockTime: at(2), spotPriceInSol: '2' },
      { slot: 40n, blockTime: new Date(at(3).getTime() + 1), spotPriceInSol: '4' },
    ]);
    const id = await rounds.plan(mint);
    await rounds.at(10_000);
    const [round] = await rounds.db`
      select status, settlement_price_in_sol as price, settled_at from prediction_rounds where id = ${id}`;
    expect(round).toMatchObject({ status: 'settled', price: '3' });
  });

  test('is the trade’s own price when its source reports no spot price, cut to 18 digits', async () => {
    await rounds.at(0);
    const mint = await trades([{ blockTime: at(1), solAmount: '1', tokenAmount: '3' }]);
    expect(await settle(mint)).toEqual({ status: 'settled', price: '0.333333333333333333' });
  });

  test('passes over trades whose published price is zero', async () => {
    await rounds.at(0);
    const mint = await trades([
      { slot: 10n, blockTime: at(1), spotPriceInSol: '5' },
      { slot: 11n, blockTime: at(1), spotPriceInSol: '0.0000000000000000009' },
      { slot: 12n, blockTime: at(1), solAmount: '0' },
    ]);
    expect(await settle(mint)).toEqual({ status: 'settled', price: '5' });
  });

  test('does not exist for a token without a trade by then: the round is voided, with its predictions', async () => {
    await rounds.at(0);
    const mint = await trades([{ blockTime: new Date(at(3).getTime() + 1), spotPriceInSol: '4' }]);
    const id = await rounds.plan(mint);
    await rounds.at(1);
    const prediction = await rounds.insertPrediction(id, '1');
    await rounds.at(3);
    const [round] =
      await rounds.db`select status, settled_at, void_reason, locked_participant_count from prediction_rounds where id = ${id}`;
    const outcome = { status: 'voided', voidReason: 'no_price' };
    expect(round).toEqual({ ...outcome, settledAt: null, lockedParticipantCount: 1 });
    const [row] =
      await rounds.db`select status, rank, payout_lamports from predictions where id = ${prediction}`;
    expect(row).toEqual({ status: 'voided', rank: null, payoutLamports: null });
  });
});

describe('the proof of the source', () => {
  const stateOf = async (id: string) => {
    const [round] = await rounds.db`
      select status, void_reason, settlement_price_in_sol as price from prediction_rounds where id = ${id}`;
    return round;
  };
  /** A locked round of a token with a price, whose source is proven up to its lock. */
  async function lockedRound() {
    rounds.standsStill = false;
    await rounds.at(0);
    const startMs = rounds.clock.now().getTime();
    const minute = (minutes: number) => new Date(startMs + minutes * MINUTE_MS);
    const mint = await rounds.launch();
    await rounds.trade(mint, 1, '2');
    const id = await rounds.plan(mint);
    await rounds.at(1);
    await rounds.insertPrediction(id, '3');
    await rounds.at(2);
    rounds.standsStill = true;
    return { mint, id, minute };
  }

  test('is waited for, and a trade before settlesAt that comes late decides the price', async () => {
    const { mint, id, minute } = await lockedRound();
    await rounds.at(5);
    expect(await stateOf(id)).toMatchObject({ status: 'settling' });
    // A trade at the second of settlesAt may still be unread while the proof says settlesAt itself.
    await rounds.prove(mint, minute(3));
    await rounds.work();
    expect(await stateOf(id)).toMatchObject({ status: 'settling' });
    await rounds.trade(mint, 3, '7');
    await rounds.trade(mint, 3.5, '9');
    await rounds.prove(mint, new Date(minute(3).getTime() + 1_000));
    await rounds.work();
    expect(await stateOf(id)).toEqual({ status: 'settled', price: '7', voidReason: null });
  });

  test('makes the price the same, whichever of two workers indexes faster', async () => {
    const prices = [];
    for (const isTradeFirst of [true, false]) {
      const { mint, id, minute } = await lockedRound();
      const late = () => rounds.trade(mint, 2.5, '5');
      if (isTradeFirst) await late();
      await rounds.at(4);
      if (!isTradeFirst) await late();
      await rounds.prove(mint, minute(4));
      await rounds.work();
      prices.push((await stateOf(id))?.price);
    }
    expect(prices).toEqual(['5', '5']);
  });

  test('has a time limit, after which the round is voided with the reason in its event', async () => {
    const { mint, id, minute } = await lockedRound();
    await rounds.at(3 + PROOF_WAIT_MS / MINUTE_MS - 0.001);
    expect(await stateOf(id)).toMatchObject({ status: 'settling' });
    await rounds.at(3 + PROOF_WAIT_MS / MINUTE_MS);
    const voided = { status: 'voided', voidReason: 'source_not_proven' };
    expect(await stateOf(id)).toEqual({ ...voided, price: null });
    const [event] = await rounds.db`
      select body::jsonb -> 'data' ->> 'voidReason' as reason from events
      where subject = ${id} and type like '%voided%'`;
    expect(event).toEqual({ reason: 'source_not_proven' });
    const predictions = await rounds.db`select status from predictions where round_id = ${id}`;
    expect([...predictions]).toEqual([{ status: 'voided' }]);
    await rounds.prove(mint, minute(60));
    await rounds.work();
    expect(await stateOf(id)).toMatchObject(voided);
  });

  test('that is there when the worker comes back late settles the round, whatever the wait', async () => {
    const { mint, id, minute } = await lockedRound();
    await rounds.prove(mint, minute(4));
    await rounds.at(10_000);
    expect(await stateOf(id)).toMatchObject({ status: 'settled', price: '2' });
  });

  test('of another token does not count, and rounds of other tokens do not wait for this one', async () => {
    const first = await lockedRound();
    const second = await lockedRound();
    await rounds.prove(second.mint, second.minute(4));
    await rounds.at(5);
    expect(await stateOf(second.id)).toMatchObject({ status: 'settled' });
    expect(await stateOf(first.id)).toMatchObject({ status: 'settling' });
  });
});

/** The inputs of the standings rule. */
interface RankedPrediction {
  id: string;
  predictedPriceInSol: DecimalString;
  submittedAt: Date;
}

/** |predicted − settlement| × 1,000,000 / settlement, rounded half up (contract/predictions#distance). Tests
 * compare the SQL with this. */
function distancePpm(predicted: DecimalString, settlement: DecimalString): bigint {
  const scale = Math.max(fractionDigits(predicted), fractionDigits(settlement));
  const [a, b] = [scaled(predicted, scale), scaled(settlement, scale)];
  const parts = (a > b ? a - b : b - a) * 1_000_000n;
  const [whole, rest] = [parts / b, parts % b];
  return rest * 2n >= b ? whole + 1n : whole;
}

/** Best first: by distance, then the earlier submission, then the id. */
function rank(
  predictions: readonly RankedPrediction[],
  settlement: DecimalString,
): { id: string; distance: bigint }[] {
  const order = (one: bigint | string | number, other: bigint | string | number) =>
    one < other ? -1 : Number(one > other);
  return predictions
    .map((one) => ({ ...one, distance: distancePpm(one.predictedPriceInSol, settlement) }))
    .sort(
      (one, other) =>
        order(one.distance, other.distance) ||
        order(one.submittedAt.getTime(), other.submittedAt.getTime()) ||
        order(one.id, other.id),
    )
    .map(({ id, distance }) => ({ id, distance }));
}

function fractionDigits(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

function scaled(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
