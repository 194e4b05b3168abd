import { expect, test } from 'bun:test';
import type { Database } from '../../src/db/client.ts';
import type { IntentRow } from '../../src/intents/row.ts';
import { IntentFacts } from '../../src/intents/submit/intent-facts.ts';

const accountId = 'account';
const noDatabase = undefined as unknown as Database;
const intent = (id: string) => ({ id, accountId, status: 'prepared' }) as IntentRow;

test('the newest 5,000 prepared intents are known without a read, however many came before', () => {
  const facts = new IntentFacts();
  for (let number = 0; number < 23_456; number += 1) facts.note(intent(`older ${number}`));
  const newest = Array.from({ length: 5_000 }, (_, number) => intent(String(number)));
  for (const each of newest) facts.note(each);
  expect(newest.map(({ id: intentId }) => facts.get(noDatabase, { intentId, accountId }))).toEqual(newest);
});

test('an intent of another account is not found', () => {
  const facts = new IntentFacts();
  facts.note(intent('theirs'));
  expect(facts.get(noDatabase, { intentId: 'theirs', accountId: 'other' })).toBeNull();
});
