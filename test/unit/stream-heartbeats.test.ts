import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import type { Place } from '../../src/features/streams/following/place.ts';
import { Heartbeats } from '../../src/features/streams/heartbeats.ts';
import type { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';
import { StreamReader } from '../../src/features/streams/readers/reader.ts';

const place = { epoch: 'aaaaaaaaaaaa', id: 7n, provenThrough: null, readAt: new Date(0) } as unknown as Place;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A stream that has its place, and the messages that it got. */
function openStream() {
  const sent: StreamMessage[] = [];
  const reader = new StreamReader({
    subject: 'a reader',
    sink: {
      send: (messages) => {
        sent.push(...messages);
        return true;
      },
      end: () => {},
    },
    transport: 'sse',
    bufferBytes: 65_536,
    stallMs: 60_000,
    onSlow: () => {},
    onConflated: () => {},
    onEnded: () => {},
  });
  reader.place = 7n;
  return { reader, sent };
}

test('streams get heartbeats whichever other streams end, and no timer runs without a stream', () => {
  const heartbeats = new Heartbeats(() => place);
  const streams = [openStream(), openStream(), openStream()] as const;
  for (const { reader } of streams) heartbeats.add(reader);
  const [first, second, third] = streams;
  jest.advanceTimersByTime(3_000);
  expect(streams.map(({ sent }) => sent.length)).toEqual([3, 3, 3]);
  heartbeats.remove(first.reader);
  heartbeats.remove(first.reader);
  heartbeats.remove(second.reader);
  jest.advanceTimersByTime(2_000);
  expect(streams.map(({ sent }) => sent.length)).toEqual([3, 3, 5]);
  heartbeats.remove(third.reader);
  expect(jest.getTimerCount()).toBe(0);
  heartbeats.add(first.reader);
  jest.advanceTimersByTime(1_000);
  expect(streams.map(({ sent }) => sent.length)).toEqual([4, 3, 5]);
});
