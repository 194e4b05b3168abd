import { expect, test } from 'bun:test';
import type { CaseResult } from '../../bench/cases/case.ts';
import { compareCase, describeProgress } from '../../bench/compare-case.ts';

const result = (p50Ms: number): CaseResult => ({
  name: 'a',
  figures: [{ name: 'ours', median: { p50Ms }, rounds: [{ p50Ms }] }],
  ratios: {},
});

/** Compares five rounds of ten seconds, of which `measure` may end some; returns what was measured and printed. */
async function compare(measure: (side: string, round: number) => void, doubts: readonly string[] = []) {
  const measured: string[] = [];
  const printed: string[] = [];
  let nowMs = 0;
  const comparison = compareCase({
    name: 'http/a',
    ref: 'main',
    rounds: 5,
    doubts,
    async measure(side, round) {
      measure(side, round);
      nowMs += 5_000;
      measured.push(`${side} ${round}`);
      return result(side === 'ours' ? 3 : 2);
    },
    print: (line) => void printed.push(line),
    nowMs: () => nowMs,
  });
  const error = await comparison.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { measured, printed, error };
}

test('a comparison says after each round how far it is, and reports its differences', async () => {
  const { measured, printed, error } = await compare(() => {});
  expect(error).toBeNull();
  expect(measured.slice(0, 4)).toEqual(['ours 0', 'theirs 0', 'theirs 1', 'ours 1']);
  expect(printed).toEqual([
    '\nhttp/a: 5 rounds of both trees',
    '  round 1 of 5, 10 s, about 40 s left',
    '  round 2 of 5, 20 s, about 30 s left',
    '  round 3 of 5, 30 s, about 20 s left',
    '  round 4 of 5, 40 s, about 10 s left',
    '  round 5 of 5, 50 s',
    '\nhttp/a: this tree / main',
    '  ours, p50Ms: 1.500 [1.500 to 1.500] differs',
  ]);
});

test('a comparison that is stopped reports the rounds that both sides have had, and ends with what stopped it', async () => {
  const { printed, error } = await compare((side, round) => {
    // The second side of the third round.
    if (round === 2 && side === 'theirs') throw new Error('SIGINT');
  });
  expect(error).toEqual(new Error('SIGINT'));
  expect(printed).toEqual([
    '\nhttp/a: 5 rounds of both trees',
    '  round 1 of 5, 10 s, about 40 s left',
    '  round 2 of 5, 20 s, about 30 s left',
    '\nhttp/a: this tree / main, stopped after 2 of 5 rounds',
    '  ours, p50Ms: 1.500 [1.500 to 1.500] too few rounds to say',
  ]);
});

test('a comparison that is stopped in its first round reports no difference', async () => {
  const { printed } = await compare(() => {
    throw new Error('SIGTERM');
  });
  expect(printed).toEqual(['\nhttp/a: 5 rounds of both trees', '\nhttp/a: no round finished']);
});

test('the results of a comparison on a busy machine say so', async () => {
  const { printed } = await compare(() => {}, ['busy machine (load 8.09)']);
  expect(printed).toContain('\nhttp/a: this tree / main; busy machine (load 8.09): not to be quoted');
});

test('the time that is left is an estimate in seconds, or in minutes when it is long', () => {
  expect(describeProgress(1, 9, 61_000)).toBe('round 1 of 9, 61 s, about 8 min left');
  expect(describeProgress(9, 9, 549_000)).toBe('round 9 of 9, 9 min');
});
