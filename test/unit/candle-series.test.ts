import { expect, test } from 'bun:test';
import { fillSeries, type TradedBar } from '../../src/features/market/candle-series.ts';
import { judgeWindow } from '../../src/features/market/candle-window.ts';
import { normaliseDecimal } from '../../src/shared/decimal.ts';

const window = judgeWindow('1m', '2026-01-01T00:00:00Z', '2026-01-01T00:06:00Z');
const at = (text: string) => new Date(`2026-01-01T00:${text}Z`);
const provenTo = (time: Date) => ({ asOf: time, provenThrough: time });
const later = provenTo(at('30:00'));

function bar(minute: string, close: string): TradedBar {
  const price = normaliseDecimal(close);
  const volume = normaliseDecimal('1');
  const prices = {
    open: normaliseDecimal('7'),
    high: normaliseDecimal('9'),
    low: normaliseDecimal('1'),
    close: price,
  };
  return {
    openTime: at(`${minute}:00`),
    prices,
    volumeInSol: volume,
    volumeInToken: volume,
    tradeCount: 3,
  };
}

const shown = (series: ReturnType<typeof fillSeries>) =>
  series.map(({ openTime, close, tradeCount }) => `${openTime.slice(14, 16)} ${close} ${tradeCount}`);

test('an empty bucket repeats the previous close, with no volume and no range', () => {
  const series = fillSeries(window, [bar('01', '2'), bar('04', '3')], null, later);
  expect(shown(series)).toEqual(['01 2 3', '02 2 0', '03 2 0', '04 3 3', '05 3 0']);
  expect<unknown>(series[1]).toEqual({
    openTime: '2026-01-01T00:02:00.000Z',
    open: '2',
    high: '2',
    low: '2',
    close: '2',
    volumeInSol: '0',
    volumeInToken: '0',
    tradeCount: 0,
    closed: true,
  });
});

test('a window after the first trade has no hole at its start; one before it is empty', () => {
  expect(shown(fillSeries(window, [], normaliseDecimal('5'), provenTo(at('02:30'))))).toEqual([
    '00 5 0',
    '01 5 0',
    '02 5 0',
  ]);
  expect(fillSeries(window, [], null, later)).toEqual([]);
});

test('only buckets that have opened are listed, and one is closed when asOf reaches its end', () => {
  const closed = (asOf: Date) =>
    fillSeries(window, [bar('00', '2')], null, provenTo(asOf)).map(
      (candle) => `${candle.openTime.slice(14, 16)} ${candle.closed}`,
    );
  expect(closed(at('01:59.999'))).toEqual(['00 true', '01 false']);
  expect(closed(at('02:00'))).toEqual(['00 true', '01 true', '02 false']);
  expect(fillSeries(window, [], normaliseDecimal('5'), provenTo(new Date('2025-12-31T23:59:59Z')))).toEqual(
    [],
  );
});

test('a window in which no bucket opens is an empty series', () => {
  const inside = judgeWindow('1h', '2026-01-01T00:10:00Z', '2026-01-01T00:20:00Z');
  expect(fillSeries(inside, [], normaliseDecimal('5'), later)).toEqual([]);
});

test('without a proof no bucket is closed, however late the newest trade is', () => {
  const series = fillSeries(window, [bar('00', '2'), bar('03', '3')], null, {
    asOf: at('03:10'),
    provenThrough: null,
  });
  expect(series.map(({ closed }) => closed)).toEqual([false, false, false, false]);
});

test('a bar whose trades have no price repeats the last price and keeps its volume; before the first price there is none', () => {
  const unpriced = (minute: string) => ({ ...bar(minute, '1'), prices: null });
  const series = fillSeries(
    window,
    [unpriced('00'), bar('01', '2'), unpriced('02')],
    null,
    provenTo(at('02:59')),
  );
  expect(shown(series)).toEqual(['01 2 3', '02 2 3']);
  expect<unknown>(series[1]).toMatchObject({ open: '2', high: '2', low: '2', volumeInSol: '1' });
});
