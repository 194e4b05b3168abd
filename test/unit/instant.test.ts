import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { instantFault, parseInstant } from '../../src/shared/instant.ts';

const two = (value: number) => String(value).padStart(2, '0');

/** Fields of a time, each also a little outside its range. */
const fields = fc.record({
  year: fc.oneof(fc.constantFrom(0, 1, 4, 100, 1900, 2000, 9999), fc.integer({ min: 0, max: 9999 })),
  month: fc.integer({ min: 0, max: 13 }),
  day: fc.oneof(fc.integer({ min: 0, max: 32 }), fc.integer({ min: 28, max: 31 })),
  hour: fc.integer({ min: 0, max: 24 }),
  minute: fc.integer({ min: 0, max: 60 }),
  second: fc.integer({ min: 0, max: 61 }),
  fraction: fc.stringMatching(/^(?:\.[0-9]{1,31})?$/),
  offset: fc.oneof(
    fc.constantFrom({ text: 'Z', minutes: 0 }, { text: 'z', minutes: 0 }),
    fc
      .record({
        sign: fc.constantFrom(-1, 1),
        hours: fc.integer({ min: 0, max: 24 }),
        minutes: fc.integer({ min: 0, max: 60 }),
      })
      .map(({ sign, hours, minutes }) => ({
        text: `${sign < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`,
        minutes: hours > 23 || minutes > 59 ? null : sign * (hours * 60 + minutes),
      })),
  ),
  separator: fc.constantFrom('T', 't'),
});
type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

function textOf({ year, month, day, hour, minute, second, fraction, offset, separator }: Fields): string {
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  return `${date}${separator}${two(hour)}:${two(minute)}:${two(second)}${fraction}${offset.text}`;
}

/** The instant in milliseconds by counting days, without a parser; null where there is none. */
function countedMs({ year, month, day, hour, minute, second, fraction, offset }: Fields): number | null {
  const isLeap = (one: number) => one % 4 === 0 && (one % 100 !== 0 || one % 400 === 0);
  const lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const length = lengths[month - 1];
  if (length === undefined || day < 1 || day > length) return null;
  if (hour > 23 || minute > 59 || second > 59 || offset.minutes === null || fraction.length > 31) return null;
  // Days before 1 January of the year, from that of 1970.
  const leapDays = (before: number) =>
    Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const years = (year - 1970) * 365 + leapDays(year - 1) - leapDays(1969);
  const days = years + lengths.slice(0, month - 1).reduce((sum, one) => sum + one, 0) + day - 1;
  const minutes = days * 1_440 + hour * 60 + minute - offset.minutes;
  const ms = minutes * 60_000 + second * 1_000 + Number(fraction.slice(1, 4).padEnd(3, '0'));
  return ms >= -62_135_596_800_000 && ms <= 253_402_300_799_999 ? ms : null;
}

test('a time is taken exactly where its day exists and it is in the years 1 to 9999 in UTC, and read to the millisecond', () => {
  fc.assert(
    fc.property(fields, (drawn) => {
      const text = textOf(drawn);
      const expected = countedMs(drawn);
      expect({ text, isTaken: instantFault(text) === null }).toEqual({ text, isTaken: expected !== null });
      if (expected !== null) {
        expect({ text, ms: parseInstant(text).getTime() }).toEqual({ text, ms: expected });
        // What is stored as text reads back as the same instant.
        expect(instantFault(parseInstant(text).toISOString())).toBeNull();
      }
    }),
    { numRuns: 5_000 },
  );
});

test('no other text is a time', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40, size: 'max' }), (text) => {
      expect(instantFault(text)).not.toBeNull();
    }),
  );
});

describe('the fault is named', () => {
  const form = 'must be an RFC 3339 time';
  const day = 'must name a day that exists';
  const leap = 'must not be a leap second, which no clock here has: send the second before or after it';
  const years = 'must be in the years 1 to 9999 in UTC';
  test.each([
    ['2026-02-30T00:00:00Z', day],
    ['2025-02-29T00:00:00Z', day],
    ['2026-11-31T00:00:00Z', day],
    ['2026-01-01T24:00:00Z', form],
    ['2026-13-01T00:00:00Z', form],
    ['2026-01-01 00:00:00Z', form],
    ['2026-01-01T00:00:00', form],
    ['2026-01-01T00:00:00.Z', form],
    [`2026-01-01T00:00:00.${'1'.repeat(31)}Z`, form],
    ['+02026-01-01T00:00:00Z', form],
    ['2026-01-01T00:00:00Z\n', form],
    ['2016-12-31T23:59:60Z', leap],
    ['0000-01-01T00:00:00Z', years],
    ['0001-01-01T00:00:00+00:01', years],
    ['9999-12-31T23:59:59-00:01', years],
    ['0001-01-01t00:00:00z', null],
    ['0000-12-31T23:59:59-00:01', null],
    ['9999-12-31T23:59:59.999999Z', null],
    ['2026-01-01T00:00:00-00:00', null],
    [`2026-01-01T00:00:00.${'1'.repeat(30)}+23:59`, null],
  ])('%s: %s', (text, fault) => {
    expect(instantFault(text)).toBe(fault);
  });
});
