import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { parseInstant } from '../../../shared/instant.ts';
import { Problem } from '../../../shared/problem.ts';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** The time that a report covers: intents that were prepared from `from` on and before `to`. */
export interface ReportRange {
  from: Date;
  to: Date;
}

/** No UUIDv7 holds an earlier time. */
const FIRST_MS = 0;

/**
 * Checks the range of a report. Throws `landing_report_range_invalid` when `from` is not before `to`, or more
 * than 31 days lie between them (contract/landing-report#range).
 */
export function judgeRange(from: string, to: string): ReportRange {
  const fromMs = parseInstant(from).getTime();
  const toMs = parseInstant(to).getTime();
  if (fromMs >= toMs) throw rangeInvalid('empty', '`from` must be before `to`.');
  if (fromMs < FIRST_MS) throw rangeInvalid('out_of_range', 'The range begins before the year 1970.');
  if (toMs - fromMs > unpublishedLimits.landingReportDays * DAY_MS)
    throw rangeInvalid('too_long', `At most ${unpublishedLimits.landingReportDays} days are allowed.`);
  return { from: new Date(fromMs), to: new Date(toMs) };
}

export function rangeInvalid(
  reason: 'empty' | 'out_of_range' | 'too_long' | 'too_many',
  detail: string,
): Problem {
  return new Problem('landing_report_range_invalid', { detail, context: { reason } });
}

/** The hours that have a part in the range, as Timestamps in order. */
export function hoursOf({ from, to }: ReportRange): string[] {
  const first = Math.floor(from.getTime() / HOUR_MS);
  const end = Math.ceil(to.getTime() / HOUR_MS);
  return Array.from({ length: end - first }, (_, at) => new Date((first + at) * HOUR_MS).toISOString());
}
