import { takeNumber } from './number-argument.ts';
import { takeSeed } from './seed.ts';

/** With `--late`, what passes between tests and shared servers comes late by up to so much, at random: a test that takes
 * two things for one, such as a commit and what its writer does next, fails. */
const LATE_MS_LIMIT = 1000;
/** With `--hang-after`, a test process that stands still for that time is killed, whatever its file usually takes. */
const HANG_SECONDS_LIMIT = 3600;
/** All operations share the `--minutes` of `npm run fuzz`. Below this, the part of each ends before its test would time out. */
const FUZZ_MINUTES_LIMIT = 600;

/** What the arguments of a test run ask of the runner itself. */
export interface RunOptions {
  readonly seed: number;
  readonly lateMs: number;
  readonly hangSeconds: number | undefined;
  readonly fuzzMinutes: number | undefined;
  /** The other arguments, for bun test. */
  readonly rest: readonly string[];
}

/** @throws Error if the value of an option is not a number below its limit */
export function takeRunOptions(args: readonly string[]): RunOptions {
  const late = takeNumber(args, '--late', LATE_MS_LIMIT);
  const hang = takeNumber(late.rest, '--hang-after', HANG_SECONDS_LIMIT);
  const fuzz = takeNumber(hang.rest, '--minutes', FUZZ_MINUTES_LIMIT);
  const { seed, rest } = takeSeed(fuzz.rest);
  return { seed, lateMs: late.value ?? 0, hangSeconds: hang.value, fuzzMinutes: fuzz.value, rest };
}
