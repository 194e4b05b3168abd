import { expect, test } from 'bun:test';
import { Admission } from '../../src/features/streams/following/begin-or-resume.ts';
import type { Join } from '../../src/features/streams/following/join.ts';
import { Listeners } from '../../src/features/streams/following/listeners.ts';
import { LogWindow } from '../../src/features/streams/log/window.ts';
import type { ComposedEntry } from '../../src/features/streams/messages/compose.ts';
import { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import type { RecordSources } from '../../src/features/streams/record-sources.ts';
import { silentLog } from '../support/processes/worker-context.ts';

const epoch = 'aaaaaaaaaaaa';
const place = {
  epoch,
  id: 5n,
  entryId: 5n,
  timelineStart: 0n,
  window: new LogWindow(0n),
  provenThrough: null,
  readAt: new Date(0),
};
/** A transaction is under way: ids up to 9 were given out, and the log is complete up to 5. */
const page = {
  epoch,
  completeThrough: 5n,
  givenOut: 9n,
  deletedThrough: 0n,
  deletedAt: null,
  timelineStart: 0n,
  provenThrough: null,
  entries: [],
};
const emptySources = new Proxy({} as RecordSources, {
  get: (_target, name) => async () => (name === 'bars' || name === 'newestBars' ? [] : new Map()),
});

function newReader(sent: bigint[] = []): StreamReader {
  return new StreamReader({
    subject: 'a reader',
    sink: {
      send(messages) {
        sent.push(...messages.map((message) => message.place));
        return true;
      },
      end: () => {},
    },
    transport: 'sse',
    bufferBytes: 100_000,
    stallMs: 60_000,
    onSlow: () => {},
    onConflated: () => {},
    onEnded: () => {},
  });
}

const joinOf = (reader: StreamReader, id: bigint | null): Join => ({
  reader,
  topics: [{ text: 'trades', kind: 'trades' }],
  after: id === null ? null : { epoch, id },
  greeting: null,
});

test('streams that wait for a part of the log do not block other streams, however many wait', async () => {
  const attached: StreamReader[] = [];
  const waiting = Promise.withResolvers<void>();
  const admission = new Admission({
    db: undefined as never,
    sources: emptySources,
    log: silentLog,
    listeners: new Listeners(),
    followed: () => place,
    onAttached: (reader) => attached.push(reader),
    onWaiting: () => {
      if (begun.place !== null) waiting.resolve();
    },
  });
  const look = () => admission.admit(admission.take(), place, page);
  const begun = newReader();
  for (let at = 0; at < 1_200; at += 1) admission.add(joinOf(newReader(), 9n));
  admission.add(joinOf(begun, null));
  const hasMore = () => admission.hasMore;
  while (hasMore()) await look();
  // It has its beginning, and goes on.
  await waiting.promise;
  await look();
  expect(attached).toEqual([begun]);
  // The others begin when the log is complete up to their place.
  const later = { ...place, id: 9n };
  await admission.admit(admission.take(), later, { ...page, completeThrough: 9n });
  expect(attached).toHaveLength(501);
  expect(hasMore()).toBe(true);
});

test('streams that resume together at different places each get what follows their own place', async () => {
  const window = new LogWindow(0n);
  const noTrade = { traderWallet: null, side: null, solAmount: null };
  const noTimes = { through: null, since: null, at: new Date(0) };
  const unused = { accountId: null, ref: null, slot: null, ...noTrade, ...noTimes };
  window.add(
    [1n, 2n, 3n, 4n, 5n].map((id): ComposedEntry => {
      const message = new StreamMessage({ event: 'trade', text: '{}', place: id, channels: ['trades'] });
      return { id, kind: 'trade', mintAddress: 'mint', message, ...unused };
    }),
  );
  const admission = new Admission({
    db: undefined as never,
    sources: emptySources,
    log: silentLog,
    listeners: new Listeners(),
    followed: () => ({ ...place, window }),
    onAttached: () => {},
    onWaiting: () => {},
  });
  const received = [1n, 3n, 5n].map((after) => {
    const sent: bigint[] = [];
    admission.add(joinOf(newReader(sent), after));
    return sent;
  });
  await admission.admit(admission.take(), { ...place, window }, page);
  expect(received).toEqual([[2n, 3n, 4n, 5n], [4n, 5n], []]);
});
