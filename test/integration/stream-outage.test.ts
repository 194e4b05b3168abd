import { expect, test } from 'bun:test';
import { storeTrades } from '../../src/indexer/store/trades.ts';
import { startTestApi } from '../support/api/api.ts';
import { createTestDatabase } from '../support/database/database.ts';
import { startOwnPostgres } from '../support/database/own-postgres.ts';
import { newAddress } from '../support/market/ingest-stream.ts';
import { numberedTrade } from '../support/market/market-arbitraries.ts';
import { storeBondingToken } from '../support/market/stored-token.ts';
import { eventually } from '../support/run/eventually.ts';
import { openEventStream, type ReceivedMessage } from '../support/streams/event-stream.ts';

const sequenceOf = (message: ReceivedMessage) => Number(message.sequence ?? -1);
const isHeartbeat = ({ event }: ReceivedMessage) => event === 'heartbeat';

test('a stream stays open while Postgres is frozen or restarted, reports it, and continues without a gap', async () => {
  const postgres = await startOwnPostgres();
  const database = await createTestDatabase(postgres.url);
  const api = await startTestApi({ database });
  const { database: db } = api.dependencies;
  const mint = newAddress();
  await storeBondingToken(db, mint);
  let next = 1;
  const stored: string[] = [];
  const store = async () => {
    const trade = numberedTrade(mint, next++);
    await eventually('the trade is stored', () =>
      db
        .begin((transaction) => storeTrades(transaction, [trade]))
        .then(
          () => true,
          () => false,
        ),
    );
    stored.push(trade.id);
  };
  const stream = await openEventStream(`${api.baseUrl}/stream?topics=trades:${mint}`);
  const told = (id: string | undefined) =>
    stream.find(({ event, data }) => event === 'trade' && data.id === id);
  await stream.find(isHeartbeat);
  await store();
  await told(stored.at(-1));

  postgres.freeze();
  const last = stream.messages.findLast(isHeartbeat);
  const later = (by: number) => (message: ReceivedMessage) =>
    isHeartbeat(message) && sequenceOf(message) === sequenceOf(last ?? message) + by;
  // A look that was under way when it froze may have ended, and its heartbeat may have been on the way.
  const [first, second] = [await stream.find(later(2)), await stream.find(later(3))];
  expect(second.readAt).toBe(first.readAt);
  expect(second.id).toBe(first.id);
  postgres.thaw();
  await store();
  await told(stored.at(-1));

  await postgres.stop();
  await postgres.start();
  await store();
  await told(stored.at(-1));
  const trades = stream.messages.filter(({ event }) => event === 'trade');
  expect(trades.map(({ data }) => data.id)).toEqual(stored);
  expect(stream.messages.filter(({ event }) => event === 'gap' || event === 'end')).toEqual([]);
  stream.close();
});
