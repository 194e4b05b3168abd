import { expect, test } from 'bun:test';
import type { LogEntry } from '../../src/features/streams/log/read-log.ts';
import { LogWindow } from '../../src/features/streams/log/window.ts';
import { StreamMessage } from '../../src/features/streams/messages/stream-message.ts';

const entry = (id: number): LogEntry => ({
  id: BigInt(id),
  kind: 'trade',
  mintAddress: 'mint',
  accountId: null,
  ref: null,
  slot: null,
  through: null,
  since: null,
  traderWallet: null,
  side: null,
  solAmount: null,
  at: new Date(0),
});
const entries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => entry(from + at));
const ids = (list: readonly LogEntry[]) => list.map(({ id }) => Number(id));

test('returns the entries after an id, even one that no entry has', () => {
  const window = new LogWindow(10n);
  window.add([entry(12), entry(15), entry(20)]);
  expect(ids(window.after(10n))).toEqual([12, 15, 20]);
  expect(ids(window.after(12n))).toEqual([15, 20]);
  expect(ids(window.after(16n))).toEqual([20]);
  expect(ids(window.after(20n))).toEqual([]);
});

test('keeps the newest 20,000 entries, and says from which id on it is complete', () => {
  const window = new LogWindow(0n);
  for (let from = 1; from <= 100_000; from += 1_000) window.add(entries(from, from + 999));
  expect(window.size).toBe(20_000);
  expect(window.start).toBe(80_000n);
  expect(ids(window.after(window.start))).toEqual(ids(entries(80_001, 100_000)));
});

test('is bounded by the size of its texts as well', () => {
  const window = new LogWindow(0n);
  const text = 'x'.repeat(65_536);
  for (let id = 1; id <= 2_000; id += 1)
    window.add([{ ...entry(id), message: new StreamMessage({ event: 'event', text }) } as LogEntry]);
  expect(window.size).toBe(512);
  expect(window.start).toBe(1_488n);
});

test('composes again only the entries of a token that may have been hidden', () => {
  const window = new LogWindow(0n);
  const message = (text: string) => new StreamMessage({ event: 'event', text });
  const event = (id: number, message: StreamMessage | null) => ({
    ...entry(id),
    kind: 'event' as const,
    mintAddress: null,
    message,
  });
  window.add([
    { ...entry(1), message: message('a trade of mint') },
    { ...entry(2), mintAddress: 'another', message: message('a trade of another') },
    event(3, message('{"subject":"mint"}')),
    event(4, message('{"subject":"another"}')),
    event(5, null),
  ]);
  window.add([{ ...entry(6), kind: 'token' }]);
  expect(window.after(0n).map(({ message }) => message?.text)).toEqual([
    undefined,
    'a trade of another',
    undefined,
    '{"subject":"another"}',
    undefined,
    undefined,
  ]);
});
