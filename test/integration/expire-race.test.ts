import { expect, test } from 'bun:test';
import { Keypair } from '@solana/web3.js';
import { expireIntents } from '../../src/intents/end/expire-intents.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestKey } from '../support/api/api-keys.ts';
import { createPreparedIntent, signWith } from '../support/intents/intents.ts';
import { submitIntent } from '../support/intents/submit-intent.ts';
import { eventsOf, intentContext } from '../support/processes/worker-context.ts';

const ROUNDS = 60;

test('an expiry and a submission at the same moment have exactly one winner, whoever comes first', async () => {
  const api = await startTestApi({
    environment: { RATE_LIMITS: '{"transaction-submit":{"limit":1000,"windowSeconds":60}}' },
  });
  const { database } = api.dependencies;
  const wallet = Keypair.generate();
  const key = await createTestKey(database, { walletAddress: wallet.publicKey.toBase58() });
  const { context } = intentContext(database, [], systemClock);
  const winners = { submission: 0, expiry: 0 };
  let trips = 0;

  for (let round = 0; round < ROUNDS; round += 1) {
    // This api knows no height, so to it the intent is open; to the expirer its window has closed.
    const intent = await createPreparedIntent(database, {
      accountId: key.accountId,
      wallet,
      lastValidBlockHeight: 500n,
    });
    const submit = async () => {
      const signed = signWith(intent.unsigned, wallet);
      const response = await submitIntent(api.baseUrl, intent.id, { key, signed });
      return { status: response.status, body: (await response.json()) as { code?: string } };
    };
    // The round trips delay the expiry. Its start follows the moment at which the submission wins.
    const expire = async () => {
      for (let trip = 0; trip < trips; trip += 1) await database`select 1`;
      return expireIntents(context, 501n, 10);
    };
    const [submission, expired] = await Promise.all([submit(), expire()]);
    const isSubmitted = submission.status === 202;
    winners[isSubmitted ? 'submission' : 'expiry'] += 1;
    trips = isSubmitted ? Math.max(0, trips - 1) : trips + 1;
    // A row that the submission held was skipped: then the next round of the expirer finds it submitted.
    expect(expired).toBe(isSubmitted ? 0 : 1);
    if (!isSubmitted) expect(submission.body.code).toBe('transaction_intent_expired');
    expect(await expireIntents(context, 501n, 10)).toBe(0);
    const [row] = await database`select status, version from transaction_intents where id = ${intent.id}`;
    expect(row).toEqual({ status: isSubmitted ? 'submitted' : 'expired', version: 2 });
    const jobs = await database`select from intent_broadcasts where intent_id = ${intent.id}`;
    expect(jobs.count).toBe(isSubmitted ? 1 : 0);
    const events = (await eventsOf(database)).filter((event) => event.endsWith(intent.id));
    expect(events).toEqual(
      ['prepared', isSubmitted ? 'submitted' : 'expired'].map(
        (name) => `transaction_intent.${name} ${intent.id}`,
      ),
    );
  }
  expect(winners.submission).toBeGreaterThan(0);
  expect(winners.expiry).toBeGreaterThan(0);
});
