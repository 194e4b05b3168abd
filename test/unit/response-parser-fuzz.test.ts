import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AttemptFailure } from '../../relay/attempt/attempt-failure.ts';
import { ResponseParser } from '../../relay/attempt/response-parser.ts';
import { startNodeClient } from '../support/http/node-responses.ts';
import { anyBytes, wellFormed } from '../support/http/response-arbitraries.ts';

/** For more runs: `FUZZ_RUNS=500000 npm test -- test/unit/response-parser-fuzz.test.ts` (decisions/0041). */
const RUNS = Number(process.env.FUZZ_RUNS ?? 2_000);
/** Ends a hang; a run takes less than a millisecond. */
const TIMEOUT_MS = 60_000 + 20 * RUNS;
/** More than a third of the generated responses are accepted; with few of them the comparison would say little. */
const ACCEPTED_MIN = 0.25 * RUNS;

interface Verdict {
  status: number;
  location: string | null;
  retryAfter: string | null;
  body: string;
  isReusable: boolean;
}

/** The relay's reading of bytes that arrive in pieces with these ends before the connection ends; null: refused. */
function verdictOf(bytes: Buffer, ends: readonly number[]): Verdict | null {
  let body = '';
  const parser = new ResponseParser((piece) => {
    body += piece.toString('latin1');
  });
  try {
    let from = 0;
    for (const end of [...ends, bytes.length]) {
      parser.push(bytes.subarray(from, end));
      from = end;
    }
    parser.end();
  } catch (error) {
    if (error instanceof AttemptFailure) return null;
    throw error;
  }
  const { head, isReusable } = parser;
  return head === null ? null : { ...head, body, isReusable };
}

/** The number of bytes that belong to the response. Later bytes do not. */
function lengthOf(bytes: Buffer): number {
  const parser = new ResponseParser(() => {});
  let length = 0;
  while (length < bytes.length && !parser.isComplete) {
    parser.push(bytes.subarray(length, length + 1));
    length += 1;
  }
  return length;
}

const cutBytes = anyBytes.chain((bytes) =>
  fc.tuple(
    fc.constant(bytes),
    fc
      .array(fc.nat(bytes.length), { maxLength: 6 })
      .map((ends) => ends.toSorted((left, right) => left - right)),
  ),
);

describe('beside the client of Node', () => {
  test(
    'any bytes, in any pieces, are the same response for both, or are refused',
    async () => {
      const askNode = startNodeClient();
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(cutBytes, async ([bytes, ends]) => {
          const verdict = verdictOf(bytes, ends);
          expect(verdictOf(bytes, [])).toEqual(verdict);
          expect(verdictOf(bytes, [...bytes.keys()])).toEqual(verdict);
          if (verdict === null) return;
          accepted += 1;
          const { isReusable, ...response } = verdict;
          const length = lengthOf(bytes);
          // Left-over bytes would be taken for the next response.
          if (isReusable) expect(length).toBe(bytes.length);
          const node = await askNode(bytes.subarray(0, length));
          expect(node).toMatchObject(isReusable ? { ...response, isKept: true } : response);
        }),
        { numRuns: RUNS },
      );
      expect(accepted).toBeGreaterThan(ACCEPTED_MIN);
    },
    TIMEOUT_MS,
  );

  test(
    'a response that conforms to HTTP is accepted by both, and either both keep its connection or neither',
    async () => {
      const askNode = startNodeClient();
      await fc.assert(
        fc.asyncProperty(wellFormed, async ({ bytes, isReusable, ...response }) => {
          const verdict = verdictOf(bytes, []);
          expect(verdict).toMatchObject({ ...response, isReusable });
          const { location, retryAfter } = verdict ?? {};
          expect(await askNode(bytes)).toMatchObject({
            ...response,
            location,
            retryAfter,
            isKept: isReusable,
          });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
