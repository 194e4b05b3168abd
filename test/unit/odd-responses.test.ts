import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { AttemptFailure } from '../../relay/attempt/attempt-failure.ts';
import { ResponseParser } from '../../relay/attempt/response-parser.ts';
import { knownDifferences } from '../support/responses/known-differences.ts';
import { oddResponses } from '../support/responses/odd-responses.ts';
import {
  clientNames,
  digestOf,
  RECORDED_RESPONSES,
  type RecordedResponses,
  type Verdict,
} from '../support/responses/verdict.ts';

const recorded: RecordedResponses = JSON.parse(readFileSync(RECORDED_RESPONSES, 'utf8'));

/** Rows whose bytes end before the response does. */
const cutOff = [
  'length: fewer bytes than its length',
  'chunks: no last chunk',
  'chunks: no line end behind the last chunk',
  'status: an interim response alone',
  'whole: carriage returns alone',
  'whole: nothing',
  'whole: line ends alone',
  'whole: half a status line',
  'whole: a status line without its end',
  'whole: a status line alone',
  'whole: half a head',
  'whole: no status line',
];

/**
 * What the relay reads in bytes that come in pieces of `size`, before the connection ends; `isWaiting` says whether it
 * waits for that end.
 */
function ourVerdict(response: string, size = response.length): Verdict & { isWaiting: boolean } {
  let body = '';
  let isWaiting = false;
  const parser = new ResponseParser((piece) => {
    body += piece.toString('latin1');
  });
  const bytes = Buffer.from(response, 'latin1');
  try {
    for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
    isWaiting = !parser.isEnded;
    parser.end();
  } catch (error) {
    if (!(error instanceof AttemptFailure)) throw error;
    return { status: error.status, body, end: 'error', isWaiting };
  }
  const { head, isComplete, isReusable } = parser;
  const end = isReusable ? 'kept' : isComplete ? 'closed' : 'error';
  return { status: head?.status ?? null, body, end, isWaiting };
}

/** What at least three of the five clients read. */
function mostClients(what: string): Partial<Verdict> {
  const verdicts = clientNames.flatMap((name) => recorded.rows[what]?.[name] ?? []);
  const majority = (part: keyof Verdict) =>
    verdicts
      .map((verdict) => verdict[part])
      .find((value, _index, values) => values.filter((other) => other === value).length > 2);
  const parts = (['status', 'body', 'end'] as const).map((part) => [part, majority(part)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}

const ours = new Map([...oddResponses].map(([what, response]) => [what, ourVerdict(response)]));

describe('odd responses, beside what Node, undici, curl, Python and Go read in them', () => {
  test('were recorded with these bytes: `npm run oracles:responses` records them anew', () => {
    const digests = Object.entries(recorded.rows).map(([what, { sha256 }]) => [what, sha256] as const);
    expect(digests).toEqual([...oddResponses].map(([what, response]) => [what, digestOf(response)]));
    expect(Object.keys(recorded.versions)).toEqual([...clientNames]);
  });

  test('are read as most clients do, or a reason says why not', () => {
    const reasons = knownDifferences.flatMap(({ isSo, why, rows }) =>
      Object.entries(rows).flatMap(([group, names]) =>
        names.map((name) => [`${group}: ${name}`, { isSo, why }] as const),
      ),
    );
    const differing = [...ours].filter(
      ([what, { isWaiting: _, ...verdict }]) => !Bun.deepEquals(verdict, mostClients(what)),
    );
    expect(differing.map(([what]) => what).toSorted()).toEqual(reasons.map(([what]) => what).toSorted());
    const reasonOf = new Map<string, (typeof reasons)[number][1]>(reasons);
    for (const [what, verdict] of differing) {
      const reason = reasonOf.get(what);
      const isSo = reason?.isSo(verdict, mostClients(what));
      expect({ what, verdict, why: reason?.why, isSo }).toMatchObject({ isSo: true });
    }
  });

  test('are the same in any pieces', () => {
    for (const [what, response] of oddResponses)
      for (const size of response.length > 500 ? [1, 7, 1_460] : response.split('').keys())
        expect({ what, ...ourVerdict(response, size + 1) }).toEqual({ what, ...ours.get(what) } as never);
  });

  test('that cannot be framed end where that is seen, and do not wait for the end of the connection', () => {
    const waiting = [...ours].filter(([, { end, isWaiting }]) => end === 'error' && isWaiting);
    expect(waiting.map(([what]) => what)).toEqual(cutOff);
  });

  test('that cannot be framed give any status that their line has, also behind an interim response', () => {
    for (const [what, { status, end }] of ours) {
      if (status !== 200 || end !== 'error') continue;
      for (const other of [299, 307, 410, 429, 500, 999]) {
        const response = oddResponses.get(what)?.replace(/ 200/, ` ${other}`) ?? '';
        expect(ourVerdict(`HTTP/1.1 103 x\r\n\r\n${response}`, 5)).toMatchObject({ status: other, end });
      }
    }
  });
});
