import { expect, test } from 'bun:test';
import { listCandles } from '../../src/features/market/list-candles.ts';
import { listTrades } from '../../src/features/market/list-trades.ts';
import { upsertToken } from '../../src/features/tokens/upsert-token.ts';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { mostLooks, recordingDatabase } from '../support/database/query-plans.ts';
import { newAddress, tokenMessage } from '../support/market/ingest-stream.ts';
import { FIRST_BLOCK_TIME_MS, numberedTrade } from '../support/market/market-arbitraries.ts';
import { openDatabase, urlOf } from '../support/processes/worker-context.ts';

const TRADES = 30;
const MINUTE_MS = 60_000;

test('the newest trade of a token without a proof is looked up once for a page and for a window, not for each row', async () => {
  const database = await openDatabase();
  const outbox = createOutbox({ source: 'https://api.test', docsUrl: 'https://api.test/docs' }, systemClock);
  const mint = newAddress();
  await database.begin(async (transaction) => {
    await upsertToken(transaction, outbox, systemClock, {
      ...tokenMessage(mint),
      launchType: 'dbc',
      status: 'bonding',
    });
    const trades = Array.from({ length: TRADES }, (_, at) =>
      numberedTrade(mint, at, { blockTime: new Date(FIRST_BLOCK_TIME_MS + at * MINUTE_MS) }),
    );
    await storeTrades(transaction, trades);
  });
  const { db, sent } = recordingDatabase(urlOf(database));
  expect((await listTrades(db, mint, { limit: TRADES }))?.items).toHaveLength(TRADES);
  const from = new Date(FIRST_BLOCK_TIME_MS);
  const to = new Date(FIRST_BLOCK_TIME_MS + TRADES * MINUTE_MS);
  const window = { interval: '1m', from, to, firstOpen: from, endOpen: to } as const;
  expect((await listCandles(db, mint, window))?.data).toHaveLength(TRADES);
  const statements = sent.filter(({ text }) => text.includes('known_at'));
  const looks = await Promise.all(statements.map((statement) => mostLooks(database, statement, 'trades')));
  expect(looks).toEqual([1, 1]);
});
