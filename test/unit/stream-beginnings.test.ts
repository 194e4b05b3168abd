import { expect, test } from 'bun:test';
import { Beginnings } from '../../src/features/streams/following/beginnings.ts';
import type { Join } from '../../src/features/streams/following/join.ts';
import { Listeners } from '../../src/features/streams/following/listeners.ts';
import { LogWindow } from '../../src/features/streams/log/window.ts';
import { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import type { RecordSources } from '../../src/features/streams/record-sources.ts';
import { silentLog } from '../support/processes/worker-context.ts';

const READ = 20;

/** Each token begins with 20 trades of 10 KB. `went` resolves when this many streams have their beginning. */
function beginnings(count = 1) {
  const readings: number[] = [];
  const sources = new Proxy({} as RecordSources, {
    get: (_target, name) => async (asked: readonly string[]) => {
      if (name !== 'newestTrades') return name === 'newestBars' ? [] : new Map();
      readings.push(asked.length);
      return new Map(
        asked.map((mint) => [mint, Array.from({ length: READ }, () => ({ x: 'x'.repeat(10_000) }))]),
      );
    },
  });
  const went = Promise.withResolvers<Join[]>();
  const joins: Join[] = [];
  const place = {
    epoch: 'a',
    id: 5n,
    entryId: 5n,
    timelineStart: 0n,
    window: new LogWindow(0n),
    provenThrough: null,
    readAt: new Date(0),
  };
  const begun = new Beginnings({
    sources,
    log: silentLog,
    listeners: new Listeners(),
    place: () => place,
    goOn(join) {
      joins.push(join);
      if (joins.length === count) went.resolve(joins);
    },
  });
  return { begun, readings, went: went.promise };
}

function readerOf(isTaking: boolean) {
  const ends: (string | null)[] = [];
  const reader = new StreamReader({
    subject: 'a reader',
    sink: { send: () => isTaking, end: () => {} },
    transport: 'websocket',
    bufferBytes: 100_000,
    stallMs: 60_000,
    onSlow: (slow) => slow.end('slow_reader'),
    onConflated: () => {},
    onEnded: (_reader, reason) => ends.push(reason),
  });
  return { reader, ends };
}

const joinOf = (reader: StreamReader, mints: readonly string[]): Join => ({
  reader,
  topics: mints.map((mint) => ({ text: `trades:${mint}`, kind: 'token-trades' as const, mint })),
  after: null,
  greeting: () => new StreamMessage({ event: 'subscribed', text: '{}' }),
});

test('a stream gets the beginnings of its topics even beyond its buffer, and goes on after its place', async () => {
  const { begun, went } = beginnings();
  const { reader, ends } = readerOf(false);
  begun.add([joinOf(reader, ['a'])]);
  expect(await went).toMatchObject([{ after: { epoch: 'a', id: 5n }, greeting: null }]);
  expect([ends, reader.place]).toEqual([[], 5n]);
});

test('a stream that joins topics without reading is ended, so that nothing is kept beyond its buffer', async () => {
  const { begun, went } = beginnings();
  const { reader, ends } = readerOf(false);
  reader.offer(new StreamMessage({ event: 'trade', text: 'x' }));
  reader.flush();
  begun.add([joinOf(reader, ['a'])]);
  await went;
  expect(ends).toEqual(['slow_reader']);
});

test('the beginnings of many simultaneous streams are read together, at most 500 topics at a time', async () => {
  const { begun, readings, went } = beginnings(12);
  const joins = Array.from({ length: 12 }, (_, at) => {
    const mints = Array.from({ length: 100 }, (_mint, number) => `${at}-${number}`);
    return joinOf(readerOf(true).reader, mints);
  });
  begun.add(joins);
  await went;
  expect(readings).toEqual([500, 500, 200]);
});
