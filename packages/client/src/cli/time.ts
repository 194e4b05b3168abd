import type { Invocation } from './command.ts';
import { UsageError } from './failures.ts';

/** A time of RFC 3339 as the API takes it, or undefined where the option is absent. */
export function timeOf({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  if (value === undefined || value === true) return undefined;
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.test(value);
  const time = new Date(value);
  if (isWhole && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new UsageError(`--${name} is a time like 2026-11-20T10:00:00Z, not "${value}"`);
}
