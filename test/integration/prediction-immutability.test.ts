import { beforeAll, beforeEach, expect, test } from 'bun:test';
import { createRoundFixture, type RoundFixture } from '../support/predictions/prediction-stage.ts';
import { openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

let rounds: RoundFixture;
let id: string;

beforeAll(async () => {
  rounds = createRoundFixture(await openDatabase(), createTestClock());
});

beforeEach(async () => {
  const roundId = await rounds.plan(await rounds.launch());
  id = await rounds.insertPrediction(roundId, '1.5');
});

const row = async () => (await rounds.db`select * from predictions where id = ${id}`)[0];

/** Runs a statement that must be refused, and checks that nothing changed. */
async function refused(statement: string) {
  const before = await row();
  const outcome = await rounds.db
    .unsafe(statement.replaceAll('ID', `'${id}'`))
    .catch((error: Error) => error.message);
  expect(outcome).toMatch(/predictions are immutable|violates check constraint/);
  expect(await row()).toEqual(before);
}

test.each([
  "predicted_price_in_sol = '1.6'",
  "wallet_address = 'other'",
  "username = 'other'",
  'round_id = gen_random_uuid()',
  'account_id = gen_random_uuid()',
  'id = gen_random_uuid()',
  'evaluation_slot = 2',
  'balance_raw = 2',
  "submitted_at = submitted_at + interval '1 second'",
  "status = 'settled', rank = 1, distance_ppm = 0, predicted_price_in_sol = 2",
  "status = 'settled'",
  'rank = 1, distance_ppm = 0',
  'payout_lamports = 1',
])('a prediction never changes: %s', async (change) => {
  await refused(`update predictions set ${change} where id = ID`);
});

test('no prediction disappears, alone or with all others', async () => {
  await refused('delete from predictions where id = ID');
  await refused('truncate predictions cascade');
  await refused('truncate prediction_rounds cascade');
});

test.each([
  "status = 'settled', rank = 1, distance_ppm = 3, payout_lamports = 5",
  "status = 'settled', rank = 1, distance_ppm = 3",
  "status = 'voided'",
])('its outcome is written once: %s', async (outcome) => {
  await rounds.db.unsafe(`update predictions set ${outcome} where id = '${id}'`);
  await refused(`update predictions set ${outcome} where id = ID`);
  await refused("update predictions set status = 'voided', rank = null, distance_ppm = null where id = ID");
  await refused("update predictions set status = 'accepted', rank = null, distance_ppm = null where id = ID");
  await refused('update predictions set payout_lamports = 9 where id = ID');
});

test('a wallet has one prediction in a round', async () => {
  const copy = rounds.db`
    insert into predictions select gen_random_uuid(), round_id, account_id, wallet_address, username,
      predicted_price_in_sol, status, evaluation_slot, balance_raw, submitted_at, rank, distance_ppm, payout_lamports
    from predictions where id = ${id}`;
  expect(await copy.catch((error: Error) => error.message)).toMatch(/predictions_wallet/);
});
