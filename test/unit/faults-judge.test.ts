import { describe, expect, test } from 'bun:test';
import { judge, rules } from '../../faults/judge/judge.ts';
import {
  event,
  intent,
  MINT,
  request,
  type SoundEvidence,
  soundEvidence,
} from '../support/faults/sound-evidence.ts';

/** A walk in which one thing went wrong: the rule that finds it, and what it says. */
interface Spoiled {
  name: string;
  rule: keyof typeof rules;
  says: RegExp;
  spoil(evidence: SoundEvidence): void;
}

const endsTruthfully = 'every 202 ends truthfully, and lands at most once';
const oneOutcome = 'no idempotency key has two outcomes';
const paidOnce = 'nothing is paid twice';
const readers = 'every reader of a stream sees every change once and in order';
const deliveries = 'every event has its deliveries, and every receiver got each';
const verified = 'every webhook is verified';
const trades = 'trades are those of the chain and of the feeds';
const fold = 'candles, prices and holders are the fold of the trades and of the chain';
const stuck = 'nothing is stuck';
const documented = 'every answer is a documented one';
const named = 'a broker whose disk is full is named';
const missing = 'where nothing is broken, nothing is unavailable or late';

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values.at(index);
  if (value === undefined) throw new Error(`nothing at ${index}`);
  return value;
}

const spoiled: Spoiled[] = [
  {
    name: 'the disk of the broker is full, and no worker says so',
    rule: named,
    says: /was full at 7\.0 s, and no worker said so/,
    spoil: ({ fullBrokers }) => {
      fullBrokers.push({ fromMs: 7_000, isNamed: false });
    },
  },
  {
    name: 'a transaction lands after the expiresAt of its intent, although nothing was broken',
    rule: missing,
    says: /landed after its expiresAt/,
    spoil: ({ database }) => {
      database.intents = database.intents.map((one) => ({ ...one, landedLate: true }));
    },
  },
  ...(['prepared', 'expired'] as const).map(
    (status): Spoiled => ({
      name: `an accepted submission is ${status}`,
      rule: endsTruthfully,
      says: new RegExp(`was accepted and is ${status}`),
      spoil: ({ database, chain, histories }) => {
        database.intents = [intent({ id: 'intent-1', status })];
        chain.landed.clear();
        histories.orders = [];
      },
    }),
  ),
  {
    name: 'an accepted submission is gone',
    rule: endsTruthfully,
    says: /was accepted and is gone/,
    spoil: ({ histories }) => {
      histories.requests.push(
        request({
          ...at(histories.requests, 1),
          idempotencyKey: 'submit-2',
          outcome: '202 intent-2',
          intentId: 'intent-2',
        }),
      );
    },
  },
  {
    name: 'what is confirmed is not on the chain',
    rule: endsTruthfully,
    says: /is confirmed, and the chain has no/,
    spoil: ({ chain, histories }) => {
      chain.landed.clear();
      histories.orders = [];
    },
  },
  {
    name: 'what is confirmed failed on the chain',
    rule: endsTruthfully,
    says: /is confirmed, and failed on chain/,
    spoil: ({ chain, histories }) => {
      chain.landed.set('signature-1', { wallet: 'w', failed: true });
      histories.orders = [];
    },
  },
  {
    name: 'what ended as failed has landed',
    rule: endsTruthfully,
    says: /is failed, and landed/,
    spoil: ({ database }) => {
      database.intents = [intent({ id: 'intent-1', status: 'failed', signature: 'signature-1' })];
    },
  },
  {
    name: 'a transaction landed that no intent has',
    rule: endsTruthfully,
    says: /belongs to no intent/,
    spoil: ({ chain }) => {
      chain.landed.set('signature-9', { wallet: 'w', failed: false });
    },
  },
  {
    name: 'one key made two records',
    rule: oneOutcome,
    says: /had 2 outcomes/,
    spoil: ({ histories }) => {
      histories.requests.push(request({ ...at(histories.requests, 0), outcome: '201 intent-7' }));
    },
  },
  {
    name: 'an order was paid by two intents',
    rule: paidOnce,
    says: /was paid 2 times/,
    spoil: ({ database, chain }) => {
      database.intents.push(intent({ id: 'intent-2', signature: 'signature-2' }));
      chain.landed.set('signature-2', { wallet: 'w', failed: false });
    },
  },
  {
    name: 'two calls of an order were confirmed with two intents',
    rule: paidOnce,
    says: /was confirmed as intent-1 and as intent-2/,
    spoil: ({ histories }) => {
      const { calls } = at(histories.orders, 0);
      calls.push({ ...at(calls, 0), intentId: 'intent-2' });
    },
  },
  {
    name: 'an order was confirmed, and nothing of it landed',
    rule: paidOnce,
    says: /was confirmed to its bot, and nothing landed/,
    spoil: ({ histories }) => {
      const [order] = histories.orders;
      if (order !== undefined) histories.orders.push({ ...order, name: 'order-2', amountRaw: '1000001' });
    },
  },
  {
    name: 'a reader missed a message',
    rule: readers,
    says: /did not see event event-1/,
    spoil: ({ histories }) => {
      at(histories.readers, 0).messages.splice(1, 1);
    },
  },
  {
    name: 'a reader saw a message twice',
    rule: readers,
    says: /saw trade t-2 2 times/,
    spoil: ({ histories }) => {
      at(histories.readers, 0).messages.unshift('trade t-2');
    },
  },
  {
    name: 'a reader saw messages in another order',
    rule: readers,
    says: /saw event event-1 where the log has trade t-2/,
    spoil: ({ histories }) => {
      const { messages } = at(histories.readers, 0);
      messages.splice(0, 2, 'event event-1', 'trade t-2');
    },
  },
  {
    name: 'a reader saw an event of another account',
    rule: readers,
    says: /saw event event-1, which is not in the log/,
    spoil: ({ database }) => {
      database.log.splice(2, 1, { ...at(database.log, 2), accountId: 'another' } as never);
    },
  },
  {
    name: 'a reader got a gap',
    rule: readers,
    says: /got 1 gaps/,
    spoil: ({ histories }) => {
      at(histories.readers, 0).gaps = 1;
    },
  },
  {
    name: 'the package failed with an error that it does not document',
    rule: readers,
    says: /failed: TypeError/,
    spoil: ({ histories }) => {
      at(histories.readers, 0).failures.push('TypeError: undefined is no function');
    },
  },
  {
    name: 'a reader stopped before the end',
    rule: readers,
    says: /stopped at 3, and the log ends at 4/,
    spoil: ({ histories }) => {
      at(histories.readers, 0).toId = 3n;
    },
  },
  {
    name: 'a reader never got a place',
    rule: readers,
    says: /never began/,
    spoil: ({ histories }) => {
      at(histories.readers, 0).fromId = -1n;
    },
  },
  {
    name: 'an event has no delivery',
    rule: deliveries,
    says: /has no delivery of .* event-2/,
    spoil: ({ database }) => {
      database.events.push(event('event-2'));
    },
  },
  {
    name: 'an event has two deliveries to one endpoint',
    rule: deliveries,
    says: /has 2 deliveries of/,
    spoil: ({ database }) => {
      database.deliveries.push(at(database.deliveries, 0));
    },
  },
  {
    name: 'a delivery was given up',
    rule: deliveries,
    says: /is dead_letter/,
    spoil: ({ database }) => {
      at(database.deliveries, 0).status = 'dead_letter';
    },
  },
  {
    name: 'a delivery has an attempt that it does not count',
    rule: deliveries,
    says: /does not match its attempts/,
    spoil: ({ database }) => {
      at(database.deliveries, 0).attempts.count = 2;
    },
  },
  {
    name: 'a delivery counts as succeeded without a successful attempt',
    rule: deliveries,
    says: /does not match its attempts/,
    spoil: ({ database }) => {
      at(database.deliveries, 0).attempts.hasSuccess = false;
    },
  },
  {
    name: 'a delivery counts as succeeded and never came',
    rule: deliveries,
    says: /never got/,
    spoil: ({ histories }) => {
      at(histories.receivers, 0).accepted.clear();
    },
  },
  {
    name: 'a receiver could not verify a request',
    rule: verified,
    says: /did not believe event-1: signature_invalid/,
    spoil: ({ histories }) => {
      at(histories.receivers, 0).unverified.push('event-1: signature_invalid');
    },
  },
  {
    name: 'a receiver got an event that nobody committed',
    rule: verified,
    says: /got event-9, which is no event/,
    spoil: ({ histories }) => {
      at(histories.receivers, 0).accepted.set('event-9', 1);
    },
  },
  {
    name: 'a trade of the chain is not stored',
    rule: trades,
    says: /is not stored/,
    spoil: ({ chain, database }) => {
      const [first] = chain.trades;
      if (first !== undefined) chain.trades.push({ ...first, id: 'trade-9' });
      expect(database.trades).toHaveLength(4);
    },
  },
  {
    name: 'an acknowledged trade of a feed is not stored',
    rule: trades,
    says: /is not stored/,
    spoil: ({ histories }) => {
      histories.fedTrades.push({ ...at(histories.fedTrades, 0), tradeId: 'trade-9' });
    },
  },
  {
    name: 'a trade is stored that nobody reported',
    rule: trades,
    says: /nobody reported it/,
    spoil: ({ chain }) => {
      chain.trades.splice(0, 1);
    },
  },
  {
    name: 'a trade is stored in another slot',
    rule: trades,
    says: /is stored as .*, and is/,
    spoil: ({ chain }) => {
      chain.trades.splice(0, 1, { ...at(chain.trades, 0), slot: 7n });
    },
  },
  {
    name: 'a bar is missing',
    rule: fold,
    says: /the bar .* is undefined/,
    spoil: ({ database }) => {
      database.candles.pop();
    },
  },
  {
    name: 'a bar counts a trade twice',
    rule: fold,
    says: /of 5/,
    spoil: ({ database }) => {
      at(database.candles, 0).tradeCount += 1;
    },
  },
  {
    name: 'the price is not that of the last trade',
    rule: fold,
    says: /has the price 0.4/,
    spoil: ({ database }) => {
      at(database.markets, 0).priceInSol = '0.4';
    },
  },
  {
    name: 'a holder is missing',
    rule: fold,
    says: new RegExp(`${MINT} has 2 holders on chain, and 1 here`),
    spoil: ({ database }) => {
      at(database.markets, 0).holderCount = 1;
    },
  },
  {
    name: 'an intent is still open',
    rule: stuck,
    says: /intent submitted intent-5 has not ended/,
    spoil: ({ database }) => {
      database.open.push('intent submitted intent-5');
    },
  },
  {
    name: 'a status is not documented',
    rule: documented,
    says: /getTransactionIntent answered 500 internal_error \(1 times\)/,
    spoil: ({ histories }) => {
      histories.requests.push(
        request({ path: '/transaction-intents/intent-1', status: 500, code: 'internal_error' }),
      );
    },
  },
  {
    name: 'a code is not documented for its status',
    rule: documented,
    says: /answered 404 with token_not_found/,
    spoil: ({ histories }) => {
      histories.requests.push(
        request({ path: '/transaction-intents/intent-1', status: 404, code: 'token_not_found' }),
      );
    },
  },
  {
    name: 'a request goes to no operation',
    rule: documented,
    says: /GET \/nowhere is no operation/,
    spoil: ({ histories }) => {
      histories.requests.push(request({ path: '/nowhere' }));
    },
  },
];

describe('the judge', () => {
  test('finds nothing in a walk in which nothing went wrong', () => {
    expect(judge(soundEvidence()).flatMap(({ broken }) => broken)).toEqual([]);
  });

  test.each(spoiled)('finds that $name, and nothing else', ({ rule, says, spoil }) => {
    const evidence = soundEvidence();
    spoil(evidence);
    const broken = judge(evidence).filter((verdict) => verdict.broken.length > 0);
    expect(broken.map((verdict) => verdict.rule)).toEqual([rule]);
    expect(broken.flatMap((verdict) => verdict.broken).join('\n')).toMatch(says);
  });

  test('has a history for each of its rules', () => {
    expect(new Set<string>(spoiled.map(({ rule }) => rule))).toEqual(new Set(Object.keys(rules)));
  });

  test('believes that a fork dropped what is reverted', () => {
    const evidence = soundEvidence();
    evidence.database.intents = [
      intent({ id: 'intent-1', status: 'confirmed', signature: 'signature-1', finality: 'reverted' }),
    ];
    evidence.chain.landed.clear();
    expect(judge(evidence).flatMap(({ broken }) => broken)).toEqual([]);
  });

  test('does not miss a trade that was reverted before the stream read it', () => {
    const evidence = soundEvidence();
    const reader = at(evidence.histories.readers, 0);
    for (const [id, kind] of [
      [5n, 'trade'],
      [6n, 'trade_reverted'],
    ] as const)
      evidence.database.log.push({ ...at(evidence.database.log, 0), id, kind, ref: 't-9' } as never);
    Object.assign(reader, { toId: 6n, messages: [...reader.messages, 'trade_reverted t-9'] });
    const mistakes = () => judge(evidence).find(({ rule }) => rule === readers)?.broken;
    expect(mistakes()).toEqual([]);
    evidence.database.log.pop();
    Object.assign(reader, { toId: 5n, messages: reader.messages.slice(0, -1) });
    expect(mistakes()).toEqual([expect.stringContaining('did not see trade t-9')]);
  });

  test('believes that a trade comes again when its transaction lands again, and no more often', () => {
    const evidence = soundEvidence();
    const reader = at(evidence.histories.readers, 0);
    for (const [id, kind] of [
      [5n, 'trade'],
      [6n, 'trade_reverted'],
      [7n, 'trade'],
    ] as const)
      evidence.database.log.push({ ...at(evidence.database.log, 0), id, kind, ref: 't-9' } as never);
    const before = reader.messages;
    const mistakesAfter = (...seen: string[]) => {
      Object.assign(reader, { toId: 7n, messages: [...before, ...seen] });
      return judge(evidence).find(({ rule }) => rule === readers)?.broken;
    };
    expect(mistakesAfter('trade t-9', 'trade_reverted t-9', 'trade t-9')).toEqual([]);
    expect(mistakesAfter('trade_reverted t-9', 'trade t-9')).toEqual([]);
    expect(mistakesAfter('trade t-9', 'trade_reverted t-9')).toEqual([
      expect.stringContaining('did not see trade t-9'),
    ]);
    expect(mistakesAfter('trade t-9', 'trade_reverted t-9', 'trade t-9', 'trade t-9')).toEqual([
      expect.stringContaining('saw trade t-9 3 times'),
    ]);
  });

  test('takes a 503 for a mistake only where nothing was broken', () => {
    const evidence = soundEvidence();
    evidence.histories.requests.push(
      request({ method: 'POST', path: '/tokens/a/swaps', status: 503, code: 'chain_unavailable' }),
    );
    const mistakes = () => judge(evidence).find(({ rule }) => rule === missing)?.broken;
    expect(mistakes()).toEqual(['POST /tokens/a/swaps was 503 chain_unavailable']);
    evidence.wasDisturbed = true;
    expect(mistakes()).toEqual([]);
  });
});
