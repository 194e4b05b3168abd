import type { CaseResult } from './cases/case.ts';
import { judgeDifference } from './judge-difference.ts';
import { pairedRatio } from './measurement/statistics.ts';
import { describeDoubts } from './report/doubts.ts';

export interface CompareOptions {
  name: string;
  /** The commit that this tree is compared with. */
  ref: string;
  rounds: number;
  /** Why the results may not be quoted. */
  doubts: readonly string[];
  /** Measures one round of one side, in a process of its own. */
  measure(side: 'ours' | 'theirs', round: number): Promise<CaseResult>;
  print(line: string): void;
  nowMs?: () => number;
}

/**
 * Measures both sides in alternating rounds and prints how far it is, then the differences. What stops it is thrown after
 * the rounds that both sides have had are printed, or that there is none.
 */
export async function compareCase({
  name,
  ref,
  rounds,
  doubts,
  measure,
  print,
  nowMs = () => performance.now(),
}: CompareOptions): Promise<void> {
  const results = { ours: [] as CaseResult[], theirs: [] as CaseResult[] };
  const startedAtMs = nowMs();
  print(`\n${name}: ${rounds} rounds of both trees`);
  let done = 0;
  try {
    for (; done < rounds; done += 1) {
      const order = ['ours', 'theirs'] as const;
      for (const side of done % 2 === 0 ? order : order.toReversed())
        results[side].push(await measure(side, done));
      print(`  ${describeProgress(done + 1, rounds, nowMs() - startedAtMs)}`);
    }
  } finally {
    if (done === 0) print(`\n${name}: no round finished`);
    else {
      const stopped = done === rounds ? '' : `, stopped after ${done} of ${rounds} rounds`;
      const doubt = doubts.length === 0 ? '' : `; ${describeDoubts(doubts)}`;
      print(`\n${name}: this tree / ${ref}${stopped}${doubt}`);
      for (const line of differences(results.ours.slice(0, done), results.theirs.slice(0, done))) print(line);
    }
  }
}

/** Every figure of every variant, this tree's divided by the other's. */
function differences(ours: readonly CaseResult[], theirs: readonly CaseResult[]): string[] {
  const [first] = ours;
  return (first?.figures ?? []).flatMap(({ name: variant, median }) =>
    Object.keys(median).flatMap((figure) => {
      const ratio = pairedRatio(figureOf(ours, variant, figure), figureOf(theirs, variant, figure));
      if (!Number.isFinite(ratio.median)) return [];
      const spread = `[${ratio.min.toFixed(3)} to ${ratio.max.toFixed(3)}]`;
      return [`  ${variant}, ${figure}: ${ratio.median.toFixed(3)} ${spread} ${judgeDifference(ratio)}`];
    }),
  );
}

function figureOf(results: readonly CaseResult[], variant: string, figure: string): number[] {
  return results.map(
    ({ figures }) => figures.find(({ name }) => name === variant)?.median[figure] ?? Number.NaN,
  );
}

/** `round 2 of 9, 34 s, about 2 min left`. */
export function describeProgress(round: number, rounds: number, elapsedMs: number): string {
  const leftMs = (elapsedMs / round) * (rounds - round);
  return `round ${round} of ${rounds}, ${duration(elapsedMs)}${round === rounds ? '' : `, about ${duration(leftMs)} left`}`;
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}
