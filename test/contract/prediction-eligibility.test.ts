import { beforeEach, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import { voidRound } from '../../src/features/predictions/rounds/void-round.ts';
import { EligibilitySchema } from '../../src/features/predictions/submissions/schema.ts';
import { expectProblem } from '../support/api/problems.ts';
import { createPredictionStage, type Member, MINUTE_MS } from '../support/predictions/prediction-stage.ts';

const stage = await createPredictionStage();
let mint: string;
let roundId: string;

beforeEach(async () => {
  stage.chain.setFaults({});
  mint = await stage.launch();
  roundId = await stage.open(mint);
});

const request = (member: Member, round = roundId, token = mint) =>
  stage.get(`/tokens/${token}/prediction-rounds/${round}/eligibility`, member.key);

async function eligibility(member: Member) {
  const response = await request(member);
  expect(response.status).toBe(200);
  const body = await response.json();
  if (!Value.Check(EligibilitySchema, body)) throw new Error(`not an eligibility: ${JSON.stringify(body)}`);
  return body;
}

test('a wallet that meets every requirement is eligible, by its finalized balance at a slot', async () => {
  const member = await stage.member();
  stage.give(member, mint, 100n);
  const body = await eligibility(member);
  expect(body).toMatchObject({
    roundId,
    walletAddress: member.address,
    eligible: true,
    reasons: [],
    roundStatus: 'open',
    balanceRaw: '100',
    minimumBalanceRaw: '100',
    evaluatedAt: stage.clock.now().toISOString(),
  });
  expect(BigInt(body.evaluationSlot)).toBeLessThan(stage.chain.ledger.slot);
  roundId = await stage.open(mint, { minimumBalanceRaw: 101n });
  expect(await eligibility(member)).toMatchObject({ eligible: false, minimumBalanceRaw: '101' });
});

test('every requirement is judged independently, the balance even while the round is closed', async () => {
  const member = await stage.member({ username: null, verified: false });
  const all = ['username_required', 'wallet_not_verified', 'insufficient_balance', 'round_not_open'];
  stage.clock.advance(MINUTE_MS);
  expect(await eligibility(member)).toMatchObject({ eligible: false, reasons: all, roundStatus: 'open' });
  await stage.work();
  expect(await eligibility(member)).toMatchObject({ reasons: all, roundStatus: 'locked' });
  const { context, db, clock } = stage;
  await db.begin((transaction) => voidRound(transaction, context.outbox, clock, roundId));
  expect(await eligibility(member)).toMatchObject({ reasons: all, roundStatus: 'voided' });
  stage.give(member, mint, 1_000n);
  expect(await eligibility(member)).toMatchObject({
    balanceRaw: '1000',
    reasons: ['username_required', 'wallet_not_verified', 'round_not_open'],
  });
});

test('a token without predictions is a reason, not an error', async () => {
  mint = await stage.launch(false);
  roundId = await stage.open(mint);
  const member = await stage.member();
  stage.give(member, mint, 100n);
  expect(await eligibility(member)).toMatchObject({ eligible: false, reasons: ['token_not_enabled'] });
});

test('a balance is never cached: two requests read it twice', async () => {
  const member = await stage.member();
  stage.give(member, mint, 50n);
  expect(await eligibility(member)).toMatchObject({ balanceRaw: '50' });
  stage.give(member, mint, 50n);
  expect(await eligibility(member)).toMatchObject({ balanceRaw: '100' });
});

test('a round that is unknown, of another token or of a hidden one is not found, without asking the chain', async () => {
  stage.chain.setFaults({ down: 'unavailable' });
  const member = await stage.member();
  await expectProblem(await request(member, crypto.randomUUID()), 'prediction_round_not_found');
  await expectProblem(await request(member, roundId, await stage.launch()), 'prediction_round_not_found');
  await stage.db`update tokens set hidden = true where mint_address = ${mint}`;
  await expectProblem(await request(member), 'prediction_round_not_found');
});

test('an unreadable balance is a 503 without any verdict', async () => {
  const member = await stage.member();
  stage.chain.setFaults({ down: 'unavailable' });
  const response = await request(member);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  await expectProblem(response, 'prediction_balance_unavailable');
});
