/** RFC 3339 with at most 30 fraction digits. Captures year, month, day and second. */
const RFC_3339 =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d{1,30})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

// Postgres can store these times, and texts with four-digit years can express them in UTC.
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** `Date` reads `.0001000000` as 100 milliseconds. */
const FINER_THAN_MS = /(\.\d{3})\d+/;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const FEBRUARY = 2;

/**
 * What is wrong with the text of a time (contract/requests#timestamp), as the end of a sentence; null where it names an
 * instant of the years 1 to 9999 in UTC.
 */
export function instantFault(text: string): string | null {
  const [whole, year = '', month = '', day = '', second] = RFC_3339.exec(text) ?? [];
  if (whole === undefined) return 'must be an RFC 3339 time';
  // `Date` would take the next month.
  if (Number(day) > daysOf(Number(year), Number(month))) return 'must name a day that exists';
  if (second === '60')
    return 'must not be a leap second, which no clock here has: send the second before or after it';
  const ms = readMs(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? null : 'must be in the years 1 to 9999 in UTC';
}

/** Reads the text of a time, to the millisecond: what is finer is cut off. Throws RangeError with `instantFault`. */
export function parseInstant(text: string): Date;
export function parseInstant(text: string | undefined): Date | undefined;
export function parseInstant(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const fault = instantFault(text);
  if (fault !== null) throw new RangeError(fault);
  return new Date(readMs(text));
}

function readMs(text: string): number {
  return Date.parse(text.replace(FINER_THAN_MS, '$1'));
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === FEBRUARY && isLeap ? 29 : (DAYS[month - 1] ?? 0);
}
