import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { candleIntervals } from '../../src/db/values/trades.ts';
import { CANDLES_MAX, judgeWindow } from '../../src/features/market/candle-window.ts';
import { intervalMs } from '../../src/indexer/market/fold-candles.ts';
import { Problem } from '../../src/shared/problem.ts';

const opens = (interval: '1m' | '1h', from: string, to: string) => {
  const { firstOpen, endOpen } = judgeWindow(interval, from, to);
  return [firstOpen, endOpen].map((time) => time.toISOString().slice(11, 16));
};

test('a window holds the buckets that open in it: from inclusive, to exclusive, aligned or not', () => {
  expect(opens('1h', '2026-01-01T10:00:00Z', '2026-01-01T12:00:00Z')).toEqual(['10:00', '12:00']);
  expect(opens('1h', '2026-01-01T10:00:00.001Z', '2026-01-01T12:00:00.001Z')).toEqual(['11:00', '13:00']);
  expect(opens('1h', '2026-01-01T10:30:00Z', '2026-01-01T11:00:00Z')).toEqual(['11:00', '11:00']);
  expect(opens('1m', '2026-01-01T10:00:59.999999Z', '2026-01-01T12:01:00+02:00')).toEqual(['10:01', '10:01']);
});

test('consecutive windows hold every bucket once', () => {
  const instant = fc.integer({ min: 0, max: 900 * 60_000 });
  fc.assert(
    fc.property(
      fc.tuple(instant, instant, instant),
      fc.constantFrom(...candleIntervals),
      (times, interval) => {
        const [a = 0, b = 0, c = 0] = times.toSorted((x, y) => x - y);
        fc.pre(a < b && b < c);
        const iso = (ms: number) => new Date(ms).toISOString();
        const [left, right, whole] = [
          judgeWindow(interval, iso(a), iso(b)),
          judgeWindow(interval, iso(b), iso(c)),
          judgeWindow(interval, iso(a), iso(c)),
        ];
        expect(left.endOpen).toEqual(right.firstOpen);
        expect([left.firstOpen, right.endOpen]).toEqual([whole.firstOpen, whole.endOpen]);
      },
    ),
  );
});

test('a window of 1,000 intervals is allowed wherever it starts, a millisecond more when it reaches another bucket', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.constantFrom(...candleIntervals),
      (fromMs, interval) => {
        const toMs = fromMs + CANDLES_MAX * intervalMs[interval];
        const iso = (ms: number) => new Date(ms).toISOString();
        const { firstOpen, endOpen } = judgeWindow(interval, iso(fromMs), iso(toMs));
        expect((endOpen.getTime() - firstOpen.getTime()) / intervalMs[interval]).toBe(CANDLES_MAX);
        expect(() => judgeWindow(interval, iso(firstOpen.getTime()), iso(endOpen.getTime() + 1))).toThrow(
          Problem,
        );
      },
    ),
  );
});

test.each([
  ['empty', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00'],
  ['empty', '2026-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['too_long', '2026-01-01T00:00:00Z', '2026-01-01T16:40:00.001Z'],
])('a window is refused as %s: %s to %s', (reason, from, to) => {
  const refusal = (() => {
    try {
      return judgeWindow('1m', from, to);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toMatchObject({ code: 'market_time_range_invalid', facts: { context: { reason } } });
});
