import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { catchUp } from '../../src/features/streams/following/catch-up.ts';
import type { ComposedEntry } from '../../src/features/streams/messages/compose.ts';
import { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';
import type { RecordSources } from '../../src/features/streams/record-sources.ts';
import { Gate } from '../../src/shared/gate.ts';

const epoch = 'aaaaaaaaaaaa';
const mint = 'mint';

/** Trades in memory, composed already: nothing has to be read. */
function entriesOf(sizes: readonly number[]): ComposedEntry[] {
  return sizes.map((size, at) => {
    const id = BigInt(at + 1);
    const text = 'x'.repeat(size);
    const message = new StreamMessage({ event: 'trade', text, place: id, channels: ['trades'] });
    const noTrade = { traderWallet: null, side: null, solAmount: null };
    const unused = { accountId: null, through: null, since: null, ...noTrade };
    return {
      id,
      kind: 'trade',
      mintAddress: mint,
      ref: null,
      slot: null,
      at: new Date(0),
      ...unused,
      message,
    };
  });
}

const emptySources = new Proxy({} as RecordSources, {
  get: (_target, name) => async () => (name === 'bars' ? [] : new Map()),
});

/** A reader whose connection takes as many writes as `capacity` says. */
function readerOf(capacity: { writes: number }, bufferBytes: number) {
  const sent: StreamMessage[] = [];
  const reader = new StreamReader({
    subject: 'a reader',
    sink: {
      send(messages) {
        sent.push(...messages);
        capacity.writes -= 1;
        return capacity.writes > 0;
      },
      end: () => {},
    },
    transport: 'sse',
    bufferBytes,
    stallMs: 60_000,
    onSlow: (slow) => slow.end('slow_reader'),
    onConflated: () => {},
    onEnded: () => {},
  });
  return { reader, sent };
}

function catchingUp(reader: StreamReader, entries: readonly ComposedEntry[], gate: Gate) {
  const looks: number[] = [];
  const join = { reader, topics: [{ text: 'trades', kind: 'trades' as const }], after: null, greeting: null };
  const done = catchUp(
    join,
    { epoch, id: 0n },
    {
      db: undefined as never,
      sources: emptySources,
      gate,
      head: () => BigInt(entries.length),
      held(place) {
        const held = entries.filter(({ id }) => id > place);
        looks.push(held.length);
        return held;
      },
    },
  );
  return { done, looks };
}

describe('catching up', () => {
  test('delivers every message once and in order, and its place is that of the last delivered message', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(sizes, async (texts) => {
        const capacity = { writes: 1 };
        const { reader, sent } = readerOf(capacity, 65_536);
        const { done } = catchingUp(reader, entriesOf(texts), new Gate({ runningMax: 1 }));
        let isDone = false;
        void done.then(() => {
          isDone = true;
        });
        while (!isDone) {
          if (reader.isFull) {
            // A client that is cut off here and continues from the place gets no message twice and misses none.
            expect(reader.place).toBe(sent.at(-1)?.place ?? 0n);
            capacity.writes = 1;
            reader.onDrained();
          }
          await Promise.resolve();
        }
        expect(sent.map(({ place }) => place)).toEqual(texts.map((_size, at) => BigInt(at + 1)));
        expect(reader.place).toBe(BigInt(texts.length));
      }),
    );
  });

  test('keeps the place of the last message that was handed over when it is cut off', async () => {
    const { reader, sent } = readerOf({ writes: 1 }, 1_000_000);
    const { done } = catchingUp(reader, entriesOf([70_000, 1, 1]), new Gate({ runningMax: 1 }));
    while (!reader.isFull) await Promise.resolve();
    reader.end(null);
    await done;
    expect([sent.map(({ place }) => place), reader.place]).toEqual([[1n], 1n]);
  });

  test('occupies a reading place only while it reads', async () => {
    const gate = new Gate({ runningMax: 1 });
    const stuck = readerOf({ writes: 1 }, 1_000_000);
    const first = catchingUp(stuck.reader, entriesOf(Array.from({ length: 50 }, () => 10_000)), gate);
    const reading = readerOf({ writes: 1_000_000 }, 1_000_000);
    const second = catchingUp(reading.reader, entriesOf(Array.from({ length: 50 }, () => 10_000)), gate);
    await second.done;
    expect(reading.sent).toHaveLength(50);
    expect([stuck.reader.isFull, stuck.reader.isEnded]).toEqual([true, false]);
    stuck.reader.end(null);
    await first.done;
  });

  test('keeps at most the buffer of a client, and reads fewer large messages at a time', async () => {
    const { reader, sent } = readerOf({ writes: 1_000_000 }, 100_000);
    const handed: number[] = [];
    const offer = reader.offer.bind(reader);
    let size = 0;
    reader.offer = (message, ...more) => {
      size += message.size;
      return offer(message, ...more);
    };
    const emptied = reader.emptied.bind(reader);
    reader.emptied = () => {
      handed.push(size);
      size = 0;
      return emptied();
    };
    const { done } = catchingUp(
      reader,
      entriesOf(Array.from({ length: 40 }, () => 30_000)),
      new Gate({ runningMax: 4 }),
    );
    await done;
    expect(sent).toHaveLength(40);
    expect(Math.max(...handed)).toBeLessThanOrEqual(100_000);
  });
});
