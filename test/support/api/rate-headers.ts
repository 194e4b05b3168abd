import { expect } from 'bun:test';
import type { RateLimit } from '../../../src/shared/rate-policies.ts';

/** Headers of every response that the limiter has counted, in the strict form of each (contract/rate-limits#headers). */
const patterns = {
  'x-ratelimit-policy': /^([a-z-]+)$/,
  'x-ratelimit-limit': /^([1-9]\d*)$/,
  'x-ratelimit-remaining': /^(0|[1-9]\d*)$/,
  'x-ratelimit-reset': /^(0|[1-9]\d*)$/,
  'ratelimit-policy': /^"([a-z-]+)";q=([1-9]\d{0,14});w=([1-9]\d{0,14})$/,
  ratelimit: /^"([a-z-]+)";r=(0|[1-9]\d{0,14});t=(0|[1-9]\d{0,14})$/,
} as const;

export const rateHeaderNames = Object.keys(patterns);

/** Checks that a response has every header of the limiter, that they agree, and that they say this policy. */
export function expectRate(
  { status, headers }: { status: number; headers: Pick<Map<string, string> | Headers, 'get'> },
  policy: string,
  rate?: RateLimit,
): void {
  const read = (name: keyof typeof patterns): string[] => {
    const value = headers.get(name) ?? '';
    expect({ [name]: value }).toEqual({ [name]: expect.stringMatching(patterns[name]) });
    return patterns[name].exec(value)?.slice(1) ?? [];
  };
  const [limit] = read('x-ratelimit-limit');
  const [remaining] = read('x-ratelimit-remaining');
  const [, quota, windowSeconds] = read('ratelimit-policy');
  const [, left, nextSeconds] = read('ratelimit');
  for (const name of ['x-ratelimit-policy', 'ratelimit-policy', 'ratelimit'] as const)
    expect(read(name)[0]).toBe(policy);
  expect([quota, left]).toEqual([limit, remaining]);
  if (rate !== undefined)
    expect({ limit: Number(quota), windowSeconds: Number(windowSeconds) }).toEqual(rate);
  expect(Number(nextSeconds) > 0).toBe(left !== limit);
  expect(Number(nextSeconds)).toBeLessThanOrEqual(Number(read('x-ratelimit-reset')[0]));
  if (status === 429) expect(Number(nextSeconds)).toBeLessThanOrEqual(Number(headers.get('retry-after')));
}

/** Checks that a response has no header of the limiter: it did not run. */
export function expectNoRate({ headers }: Response): void {
  expect(rateHeaderNames.filter((name) => headers.has(name))).toEqual([]);
}
