import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ConnectionError, UnexpectedResponseError } from '../../packages/client/src/errors.ts';
import { defaultRetries, parseRetryAfter, retryDelay } from '../../packages/client/src/retry.ts';

const NOW_MS = Date.parse('2026-11-28T12:00:00Z');

/** A failure with a `Retry-After`; without one, of the connection. */
function failure(retryAfter: string | null): Error {
  if (retryAfter === null) return new ConnectionError('connection_failed', 'refused', undefined);
  return new UnexpectedResponseError(503, parseRetryAfter(retryAfter, NOW_MS), 'is the page of a proxy');
}

/** The pauses of a call that fails for as long as it is repeated. */
function pausesOf(failures: (retry: number) => Error, random: () => number): number[] {
  const pauses: number[] = [];
  for (;;) {
    const pauseMs = retryDelay(failures(pauses.length), pauses.length, defaultRetries, random());
    if (pauseMs === undefined) return pauses;
    pauses.push(pauseMs);
  }
}

const past = new Date(NOW_MS - 86_400_000).toUTCString();
const retryAfter = fc.oneof(
  fc.constantFrom(null, '0', '1', '2', past, new Date(NOW_MS + 3_000).toUTCString(), 'soon'),
  fc.integer({ min: 0, max: 60 }).map(String),
);

describe('a call is repeated for 26 s at least', () => {
  test.each([null, '0', '1', past, 'soon'])('where each response asks for %p', (asked) => {
    for (const random of [0, 0.5, 0.999]) {
      const pauses = pausesOf(
        () => failure(asked),
        () => random,
      );
      expect(pauses).toHaveLength(14);
      expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(26_000);
      // Fifteen requests within two seconds would be a load of their own.
      expect(pauses.slice(0, 4).reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(1_800);
    }
  });

  test('whatever the service asks for, and never sooner than it asks', () => {
    const draws = fc.array(fc.tuple(retryAfter, fc.double({ min: 0, max: 0.999, noNaN: true })), {
      minLength: 14,
      maxLength: 14,
    });
    fc.assert(
      fc.property(draws, (drawn) => {
        const randoms = drawn.map(([, random]) => random);
        const pauses = pausesOf(
          (retry) => failure(drawn[retry]?.[0] ?? null),
          () => randoms.shift() ?? 0,
        );
        expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(26_000);
        for (const [index, pauseMs] of pauses.entries()) {
          const asked = parseRetryAfter(drawn[index]?.[0] ?? null, NOW_MS) ?? 0;
          expect(pauseMs).toBeGreaterThanOrEqual(asked * 1000);
        }
      }),
    );
  });

  test('and not at all where the service asks for more than a minute', () => {
    expect(
      pausesOf(
        () => failure('61'),
        () => 0,
      ),
    ).toEqual([]);
    expect(
      pausesOf(
        () => failure(new Date(NOW_MS + 61_000).toUTCString()),
        () => 0,
      ),
    ).toEqual([]);
  });
});
