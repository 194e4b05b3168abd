import { join } from 'node:path/posix';
import { type Budget, describeBudget, describeJudgement, judge, NO_VERDICT, TOLERANCE } from './budgets.ts';
import { doubtsOf, isBusy, isQuotable } from './doubts.ts';
import {
  describeFailures,
  describeMachine,
  describeRun,
  type NewestResult,
  newestResults,
} from './newest-results.ts';
import { ratioTexts } from './ratio-texts.ts';
import type { ResultFile } from './results.ts';

/** `bench` is the folder of that name, as the links of the page name it. */
const head = (bench: string) => `# Figures

\`npm run bench\` writes this page from the results in this folder, and \`npm run bench -- --pages\` does it again without measuring: for each case the
newest result, with the number of commits that were made since, as it was when the page was written. Ratios are medians of round-by-round ratios, with the
lowest and the highest round. Only ratios inside one case of one run are comparable; figures of different runs or machines are not
([how far to trust them](${join(bench, 'README.md')}#how-far-to-trust-it)). \`report.html\`, written beside it, has every figure and the plots. Latencies in milliseconds are
in [latencies](${join(bench, 'latencies.md')}).

- **bound**: what the product must not fall below. \`kept\` by the median and by every round; \`within its rounds\` where the median keeps it and a round does
  not; \`missed by\` otherwise. \`bench:check\` fails beyond ${100 * TOLERANCE} %, and of counts beyond 0 %.
- **target**: the goal, where it is stricter than the bound.
- **not to be quoted**: other programs ran (load above 0.5), or there was one round. Such figures have no verdict. Where an older result of the case may be
  quoted, it stands in the block of its own run. Counts, sizes of memory and the growth of calls that take turns do not change with the load of others, so they
  stand in blocks of their own ([0107](${join(bench, '../docs/decisions/0107-what-may-be-quoted.md')})).
`;

/**
 * The ratios of the newest result of each case, and of the newest that may be quoted where that is an older one, with the
 * runs that measured them, as Markdown.
 */
export function figuresPage(
  history: readonly ResultFile[],
  budgets: readonly Budget[],
  { cases, undisturbed, ages, bench = '..' }: FiguresPageOptions,
): string {
  const newest = newestResults(history, cases);
  const quotable = newestResults(history, cases, (run, name) => isQuotable(run, undisturbed.has(name)));
  const older = quotable.filter(({ name, run }) =>
    newest.some((one) => one.name === name && one.run !== run),
  );
  const shown = cases.flatMap((name) => [...newest, ...older].filter((one) => one.name === name));
  const runs = history.filter((run) => shown.some((one) => one.run === run)).reverse();
  const sections = runs.flatMap((run) => {
    const own = shown.filter((one) => one.run === run);
    const steady = isBusy(run.machine) ? own.filter(({ name }) => undisturbed.has(name)) : [];
    const others = own.filter((one) => !steady.includes(one));
    const load = `load ${run.machine.loadBefore.toFixed(2)}`;
    const blocks: Block[] = [
      { results: others, note: noteOf(doubtsOf(run)) || `, ${load}`, isQuoted: isQuotable(run, false) },
      {
        results: steady,
        note: `, ${load}, which does not change these${noteOf(doubtsOf(run, true))}`,
        isQuoted: isQuotable(run, true),
      },
    ];
    return blocks
      .filter(({ results }) => results.length > 0)
      .map((block) => section(run, block, { budgets, ages, older }));
  });
  return [head(bench), ...sections].join('\n');
}

export interface FiguresPageOptions {
  cases: readonly string[];
  /** Those that may be quoted from a busy machine. */
  undisturbed: ReadonlySet<string>;
  /** How many commits were made since each one. */
  ages: ReadonlyMap<string, number>;
  /** The way from the folder of the page to `bench/`; by default from `bench/results/`. */
  bench?: string;
}

function noteOf(doubts: readonly string[]): string {
  return doubts.length === 0 ? '' : `: ${doubts.join(', ')}, not to be quoted`;
}

interface Block {
  results: readonly NewestResult[];
  note: string;
  /** Whether its figures may be quoted. */
  isQuoted: boolean;
}

interface SectionOptions {
  budgets: readonly Budget[];
  ages: ReadonlyMap<string, number>;
  /** Results that are shown because the newest ones of their cases may not be quoted. */
  older: readonly NewestResult[];
}

function section(
  run: ResultFile,
  { results, note, isQuoted }: Block,
  { budgets, ages, older }: SectionOptions,
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
            : isQuoted
              ? `${describeBudget(budget)}: ${emphasized(budget, value)}`
              : `${describeBudget(budget)}; ${NO_VERDICT}`;
      return [name, ratio, median, rounds, verdict];
    }),
  );
  const failures = describeFailures(run);
  return `## ${run.machine.date.slice(0, 10)}, ${run.machine.commit}${note}

${describeRun(run, ages)}.
${describeMachine(run)}.
${failures === '' ? '' : `**${cell(failures)}**\n`}${describeOthers(results, older)}
| case | ratio | median | rounds | budget |
|---|---|---|---|---|
${rows.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('')}`;
}

/** Which cases of a block have another result on the page, and where: empty, or lines that end its paragraph. */
function describeOthers(results: readonly NewestResult[], older: readonly NewestResult[]): string {
  const namesOf = (list: readonly NewestResult[]) => list.map(({ name }) => name).join(', ');
  const superseded = results.filter((one) => older.includes(one));
  const quotable = older.filter((one) =>
    results.some(({ name, run }) => name === one.name && run !== one.run),
  );
  return [
    ...(superseded.length === 0
      ? []
      : [`A newer result, above, may not be quoted: ${namesOf(superseded)}.\n`]),
    ...[...new Set(quotable.map(({ run }) => run))].map(
      (run) =>
        `The newest that may be quoted, below, has commit ${run.machine.commit} and load ${run.machine.loadBefore.toFixed(2)}: ${namesOf(quotable.filter((one) => one.run === run))}.\n`,
    ),
  ].join('');
}

/** A missed bound is bold, so that nobody overlooks it. */
function emphasized(budget: Budget, value: Parameters<typeof judge>[1]): string {
  const text = describeJudgement(budget, value);
  return judge(budget, value).missedBy === 0 ? text : text.replace(/^[^,(]*[^,( ]/, '**$&**');
}

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
