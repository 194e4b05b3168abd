import { type Budget, describeBudget, describeJudgement, judge, TOLERANCE } from '../budgets.ts';
import type { ResultFile } from '../results.ts';
import { doubtsOf, isBusy } from './doubts.ts';
import { describeMachine, describeRun, type NewestResult, newestResults } from './newest-results.ts';
import { ratioTexts } from './ratio-texts.ts';

const HEAD = `# Figures

\`bun run bench\` writes this page from the results in this folder, and \`bun run bench --pages\` does it again without measuring: for each case the newest
result, with the number of commits that were made since. Ratios are medians of round-by-round ratios, with the lowest and the highest round. Only ratios inside
one case of one run are comparable; figures of different runs or machines are not ([how far to trust them](../README.md#how-far-to-trust-it)). \`report.html\`,
written beside it, has every figure and the plots. Latencies in milliseconds are in [latencies](../latencies.md).

- **bound**: what the product must not fall below. \`kept\` by the median and by every round; \`within its rounds\` where the median keeps it and a round does
  not; \`missed by\` otherwise. \`bench:check\` fails beyond ${100 * TOLERANCE} %, and of counts beyond 0 %.
- **target**: the goal, where it is stricter than the bound.
- **not to be quoted**: other programs ran (load above 0.5), or there was one round. Counts, sizes of memory and the growth of calls that take turns do not
  change with the load of others, so they stand in blocks of their own ([0107](../../docs/decisions/0107-what-may-be-quoted.md)).
`;

/** The ratios of the newest result of each case, with the run that measured it, as Markdown. */
export function figuresPage(
  history: readonly ResultFile[],
  budgets: readonly Budget[],
  { cases, undisturbed, ages }: FiguresPageOptions,
): string {
  const newest = newestResults(history, cases);
  const runs = history.filter((run) => newest.some((one) => one.run === run)).reverse();
  const sections = runs.flatMap((run) => {
    const own = newest.filter((one) => one.run === run);
    const steady = isBusy(run.machine) ? own.filter(({ name }) => undisturbed.has(name)) : [];
    const others = own.filter((one) => !steady.includes(one));
    const load = `load ${run.machine.loadBefore.toFixed(2)}`;
    const blocks = [
      { results: others, note: noteOf(doubtsOf(run)) || `, ${load}` },
      { results: steady, note: `, ${load}, which does not change these${noteOf(doubtsOf(run, true))}` },
    ];
    return blocks
      .filter(({ results }) => results.length > 0)
      .map((block) => section(run, block, budgets, ages));
  });
  return [HEAD, ...sections].join('\n');
}

export interface FiguresPageOptions {
  cases: readonly string[];
  /** Those that may be quoted from a busy machine. */
  undisturbed: ReadonlySet<string>;
  /** How many commits were made since each one. */
  ages: ReadonlyMap<string, number>;
}

function noteOf(doubts: readonly string[]): string {
  return doubts.length === 0 ? '' : `: ${doubts.join(', ')}, not to be quoted`;
}

function section(
  run: ResultFile,
  { results, note }: { results: readonly NewestResult[]; note: string },
  budgets: readonly Budget[],
  ages: ReadonlyMap<string, number>,
): string {
  const rows = results.flatMap(({ name, result }) =>
    ratioTexts(result).map(({ ratio, median, rounds }) => {
      const budget = budgets.find((one) => one.case === name && one.ratio === ratio);
      const value = result.ratios[ratio] ?? null;
      const verdict =
        budget === undefined
          ? ''
          : value === null
            ? describeBudget(budget)
            : `${describeBudget(budget)}: ${emphasized(budget, value)}`;
      return [name, ratio, median, rounds, verdict];
    }),
  );
  return `## ${run.machine.date.slice(0, 10)}, ${run.machine.commit}${note}

${describeRun(run, ages)}.
${describeMachine(run)}.

| case | ratio | median | rounds | budget |
|---|---|---|---|---|
${rows.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('')}`;
}

/** What is missed must not be overlooked. */
function emphasized(budget: Budget, value: Parameters<typeof judge>[1]): string {
  const text = describeJudgement(budget, value);
  return judge(budget, value).missedBy === 0 ? text : text.replace(/^[^,(]*[^,( ]/, '**$&**');
}

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
