import { type Facts, type Option, text } from './kit/option.ts';

/** RFC 3339 in capitals, with or without seconds. Captures the day. */
const WHOLE = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** An option that takes a time. */
export function time(help: string, facts: Facts = {}): Option {
  return {
    ...text(help, { ...facts, format: 'RFC 3339 time' }),
    check: (value) => (parse(value) === null ? 'must be a time like 2026-11-20T10:00:00Z' : null),
  };
}

/** The time of a text that the check of the option has accepted, as the API takes it. */
export function readTime(text: string): string {
  return parse(text)?.toISOString() ?? text;
}

function parse(text: string): Date | null {
  const [whole, day = ''] = WHOLE.exec(text.toUpperCase()) ?? [];
  const time = new Date(whole ?? '');
  return Number.isNaN(time.getTime()) || !isDay(day) ? null : time;
}

/** `Date` takes 30 February for a day in March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
