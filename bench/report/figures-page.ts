import { type Budget, describeBudget, isKept } from '../budgets.ts';
import { type CaseResult, TOO_FEW_SAMPLES } from '../cases/case.ts';
import type { ResultFile } from '../results.ts';
import { describeMachine, describeRun, type NewestResult, newestResults } from './newest-results.ts';
import { formatNumber } from './scale.ts';

const HEAD = `# Figures

\`bun run bench\` writes this page from the results in this folder: for each case the newest one. Ratios are medians of round-by-round ratios, with the lowest
and the highest round. Only ratios inside one case of one run are comparable; figures of different runs or machines are not
([how far to trust them](../README.md#how-far-to-trust-it)). \`report.html\`, written beside it, has every figure and the plots.
`;

/** The ratios of the newest result of each case, with the run that measured it, as Markdown. */
export function figuresPage(
  history: readonly ResultFile[],
  budgets: readonly Budget[],
  cases: readonly string[],
): string {
  const newest = newestResults(history, cases);
  const runs = history.filter((run) => newest.some((one) => one.run === run)).reverse();
  const sections = runs.map((run) => section(run, newest, budgets));
  return [HEAD, ...sections].join('\n');
}

function section(run: ResultFile, newest: readonly NewestResult[], budgets: readonly Budget[]): string {
  const rows = newest
    .filter((one) => one.run === run)
    .flatMap(({ name, result }) =>
      ratioRows(
        name,
        result,
        budgets.filter((budget) => budget.case === name),
      ),
    );
  return `## ${run.machine.date.slice(0, 10)}, ${run.machine.commit}, load ${run.machine.loadBefore.toFixed(2)}

${describeRun(run)}.
${describeMachine(run)}.

| case | ratio | median | rounds | budget |
|---|---|---|---|---|
${rows.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('')}`;
}

function ratioRows(name: string, { ratios }: CaseResult, budgets: readonly Budget[]): string[][] {
  return Object.entries(ratios).map(([ratio, value]) => {
    const budget = budgets.find((one) => one.ratio === ratio);
    if (value === null)
      return [name, ratio, TOO_FEW_SAMPLES, '', budget === undefined ? '' : describeBudget(budget)];
    const median = typeof value === 'number' ? value : value.median;
    const rounds =
      typeof value === 'number' ? '' : `${formatNumber(value.min)} to ${formatNumber(value.max)}`;
    return [name, ratio, formatNumber(median), rounds, budget === undefined ? '' : verdict(budget, median)];
  });
}

function verdict(budget: Budget, median: number): string {
  return `${describeBudget(budget)}: ${isKept(budget, median) ? 'kept' : '**missed**'}`;
}

/** A text in a cell of a table. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
