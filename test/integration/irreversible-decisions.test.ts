import { describe, expect, test } from 'bun:test';
import { intentDecisions } from '../support/decisions/intent-decisions.ts';
import { orderDecisions } from '../support/decisions/order-decisions.ts';
import { casesOf, stances, startStanceNodes } from '../support/decisions/stance-nodes.ts';
import { insertAccount } from '../support/intents/submitted-intent.ts';
import { openDatabase } from '../support/processes/worker-context.ts';
import { createTestClock } from '../support/run/clock.ts';

/** A prediction round is settled by the proof of its source, and asks no node: test/integration/prediction-settlement.test.ts. */
const db = await openDatabase();
const stage = { db, clock: createTestClock(new Date()), accountId: await insertAccount(db) };
const nodes = startStanceNodes();
const cases = casesOf(stances);

describe('is decided by as many nodes as the contract says, whatever the others do:', () => {
  test.each([...intentDecisions(stage), ...orderDecisions(stage)])('$name', async (decision) => {
    const wrong: string[] = [];
    for (const asked of cases) {
      const { answer, decide, isDecided } = await decision.begin();
      nodes.answer = answer;
      await decide(nodes.start(asked, stage.clock.now(), decision.last));
      const was = await isDecided();
      if (was !== decision.isAllowed(asked))
        wrong.push(`${asked.join(', ')}: ${was ? 'decided' : 'left open'}`);
    }
    expect(wrong).toEqual([]);
  });
});
