import type { Invocation } from './command.ts';
import { UsageError } from './failures.ts';

/** RFC 3339 in capitals, with or without seconds. Captures the day. */
const WHOLE = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A time of RFC 3339 as the API takes it, or undefined where the option is absent. */
export function timeOf({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  if (value === undefined || value === true) return undefined;
  const [whole, day = ''] = WHOLE.exec(value.toUpperCase()) ?? [];
  const time = new Date(whole ?? '');
  if (!Number.isNaN(time.getTime()) && isDay(day)) return time.toISOString();
  throw new UsageError(`--${name} is a time like 2026-11-20T10:00:00Z, not "${value}"`);
}

/** `Date` takes 30 February for a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
