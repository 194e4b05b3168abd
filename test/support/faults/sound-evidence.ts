import type { Evidence } from '../../../faults/evidence/evidence.ts';
import type { EventFact, IntentFact } from '../../../faults/evidence/facts.ts';
import type { OrderEntry, RequestEntry } from '../../../faults/evidence/histories.ts';
import { checkTrade } from '../../../src/indexer/ingest/kinds/trade.ts';
import { foldCandles } from '../../../src/indexer/market/fold-candles.ts';
import { tradeMessage } from '../market/ingest-stream.ts';

const ACCOUNT = 'a0000000-0000-4000-8000-000000000001';
const ENDPOINT = 'e0000000-0000-4000-8000-000000000001';
export const MINT = 'So11111111111111111111111111111111111111112';
const WALLET = 'SysvarC1ock11111111111111111111111111111111';

/** The evidence of a small walk in which nothing went wrong, with fields that a test may spoil. */
export type SoundEvidence = ReturnType<typeof soundEvidence>;

export function soundEvidence() {
  const trades = [0, 1, 2].map((number) => tradeOf(tradeMessage(MINT, number)));
  const fed = tradeMessage(MINT, 3);
  const stored = [...trades, tradeOf(fed)];
  const [first] = trades;
  if (first === undefined) throw new Error('no trade');
  const evidence = {
    wasDisturbed: false,
    fullBrokers: [{ fromMs: 1_000, isNamed: true }],
    histories: {
      requests: [
        request({
          method: 'POST',
          path: `/tokens/${MINT}/swaps`,
          status: 201,
          idempotencyKey: 'swap-1',
          outcome: '201 intent-1',
        }),
        request({
          method: 'POST',
          path: '/transaction-intents/intent-1/submissions',
          status: 202,
          idempotencyKey: 'submit-1',
          outcome: '202 intent-1',
          intentId: 'intent-1',
        }),
        request({
          method: 'GET',
          path: '/transaction-intents/intent-1',
          status: 404,
          code: 'transaction_intent_not_found',
        }),
      ],
      orders: [
        {
          bot: 'bot-0',
          accountId: ACCOUNT,
          wallet: WALLET,
          name: 'order-1',
          mint: MINT,
          amountRaw: '1000000',
          calls: [{ atMs: 0, lastedMs: 1, outcome: 'confirmed', intentId: 'intent-1', detail: '' }],
        } satisfies OrderEntry as OrderEntry,
      ],
      readers: [
        {
          name: 'reader-0',
          accountId: null as string | null,
          fromId: 1n,
          toId: 4n,
          messages: ['trade t-2', 'event event-1', 'trade_reverted t-3'],
          gaps: 0,
          connections: 2,
          failures: [] as string[],
        },
      ],
      receivers: [
        {
          name: 'receiver-0',
          endpointId: ENDPOINT,
          accountId: ACCOUNT,
          isStable: true,
          accepted: new Map([['event-1', 1]]),
          refusedOnPurpose: 0,
          unverified: [] as string[],
        },
      ],
      fedTrades: [{ mint: MINT, tradeId: tradeOf(fed).id, message: fed }],
    },
    database: {
      intents: [
        intent({ id: 'intent-1', status: 'confirmed', signature: 'signature-1', finality: 'finalized' }),
      ],
      log: [
        { id: 1n, kind: 'trade' as const, ref: 't-1', accountId: null, isPing: false },
        { id: 2n, kind: 'trade' as const, ref: 't-2', accountId: null, isPing: false },
        { id: 3n, kind: 'event' as const, ref: 'event-1', accountId: null, isPing: false },
        { id: 4n, kind: 'trade_reverted' as const, ref: 't-3', accountId: null, isPing: false },
      ],
      events: [event('event-1')],
      endpoints: [
        {
          id: ENDPOINT,
          accountId: ACCOUNT,
          eventTypes: ['*'],
          subjects: null,
          eventScopes: null,
          createdAt: new Date(0),
        },
      ],
      deliveries: [
        {
          endpointId: ENDPOINT,
          eventId: 'event-1',
          status: 'succeeded',
          attemptCount: 1,
          attempts: { count: 1, lastNumber: 1, hasSuccess: true },
        },
      ],
      trades: stored,
      candles: foldCandles(stored, new Map([[MINT, { decimals: 6 }]])),
      markets: [
        {
          mint: MINT,
          decimals: 6,
          priceInSol: '0.5',
          solCollectedInSol: null,
          holderCount: 2 as number | null,
        },
      ],
      open: [] as string[],
    },
    chain: {
      landed: new Map([['signature-1', { wallet: WALLET, failed: false }]]),
      trades,
      holders: new Map([[MINT, 2]]),
    },
    documented: [
      operation('createSwap', 'POST', /^\/tokens\/[^/]+\/swaps$/, [[201]]),
      operation('submitTransactionIntent', 'POST', /^\/transaction-intents\/[^/]+\/submissions$/, [[202]]),
      operation('getTransactionIntent', 'GET', /^\/transaction-intents\/[^/]+$/, [
        [200],
        [404, 'transaction_intent_not_found'],
      ]),
    ],
  };
  return evidence satisfies Evidence;
}

export function request(changes: Partial<RequestEntry>): RequestEntry {
  return {
    client: 'bot-0',
    method: 'GET',
    path: '/me',
    atMs: 0,
    lastedMs: 1,
    status: 200,
    code: null,
    idempotencyKey: null,
    outcome: null,
    intentId: null,
    ...changes,
  };
}

export function intent(changes: Partial<IntentFact>): IntentFact {
  return {
    id: 'intent',
    accountId: ACCOUNT,
    status: 'confirmed',
    errorCode: null,
    mintAddress: MINT,
    inputRaw: '1000000',
    signature: null,
    finality: null,
    landedLate: false,
    ...changes,
  };
}

export function event(id: string): EventFact {
  return {
    id,
    type: 'build.service.token.created.v1',
    subject: MINT,
    accountId: null,
    onlyEndpointId: null,
    createdAt: new Date(1_000),
  };
}

function tradeOf(message: object) {
  const checked = checkTrade(message);
  if (!checked.ok) throw new Error(checked.detail);
  return checked.message;
}

function operation(
  operationId: string,
  method: string,
  pattern: RegExp,
  answers: (readonly [number, ...string[]])[],
) {
  return {
    operationId,
    method,
    pattern,
    answers: new Map(answers.map(([status, ...codes]) => [status, new Set(codes)])),
  };
}
