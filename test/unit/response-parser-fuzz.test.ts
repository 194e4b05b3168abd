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
/** More than a third of the generated responses are whole; with few of them the comparison would say little. */
const COMPARED_MIN = 0.25 * RUNS;

interface Verdict {
  status: number;
  location: string | null;
  retryAfter: string | null;
  body: string;
  /** Whether the response ended where its framing says: not cut off, and not broken. */
  isWhole: boolean;
  isReusable: boolean;
}

/**
 * The relay's reading of bytes that arrive in pieces with these ends before the connection ends; null: refused,
 * because no status was read.
 */
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
  const { head, isComplete: isWhole, isReusable } = parser;
  return head === null ? null : { ...head, body, isWhole, isReusable };
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

/**
 * What HTTP allows, or once allowed, and Node refuses: continued lines, and blanks and quoted pairs in the line of
 * a chunk.
 */
const REFUSED_BY_NODE = /\r\n[\t ]|\r\n[\da-f]+[^\r\n]*[\t \\]/i;

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
    'any bytes, in any pieces, are the same response for both, or have no framing, and then a status at most',
    async () => {
      const askNode = startNodeClient();
      let compared = 0;
      await fc.assert(
        fc.asyncProperty(cutBytes, async ([bytes, ends]) => {
          const verdict = verdictOf(bytes, ends);
          expect(verdictOf(bytes, [])).toEqual(verdict);
          expect(verdictOf(bytes, [...bytes.keys()])).toEqual(verdict);
          if (verdict === null) return;
          const { isReusable, isWhole, ...response } = verdict;
          if (!isWhole) {
            expect(bytes.toString('latin1')).toMatch(
              new RegExp(`^(?:[^]*\\n)?HTTP/1\\.[01] ${verdict.status}[\\r\\n ]`),
            );
            expect(isReusable).toBe(false);
            return;
          }
          const length = lengthOf(bytes);
          // Left-over bytes would be taken for the next response.
          if (isReusable) expect(length).toBe(bytes.length);
          const node = await askNode(bytes.subarray(0, length));
          if ('error' in node) {
            expect(bytes.toString('latin1')).toMatch(REFUSED_BY_NODE);
            return;
          }
          compared += 1;
          expect(node).toMatchObject(isReusable ? { ...response, isKept: true } : response);
        }),
        { numRuns: RUNS },
      );
      expect(compared).toBeGreaterThan(COMPARED_MIN);
    },
    TIMEOUT_MS,
  );

  test(
    'a response that conforms to HTTP is accepted by both, and both keep its connection, unless more may come on it',
    async () => {
      const askNode = startNodeClient();
      await fc.assert(
        fc.asyncProperty(wellFormed, async ({ bytes, isReusable, isKept, ...response }) => {
          const verdict = verdictOf(bytes, []);
          expect(verdict).toMatchObject({ ...response, isReusable });
          const { location, retryAfter } = verdict ?? {};
          expect(await askNode(bytes)).toMatchObject({
            ...response,
            location,
            retryAfter,
            isKept,
          });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );
});
