import type { CaseResult } from '../cases/case.ts';
import { curveOf } from '../measurement/distribution.ts';
import type { Figures } from '../measurement/rounds.ts';
import type { Spread } from '../measurement/statistics.ts';
import { barChart } from './bar-chart.ts';
import {
  type Budget,
  describeBudget,
  describeJudgement,
  explainBudget,
  judge,
  NO_VERDICT,
} from './budgets.ts';
import { isQuotable } from './doubts.ts';
import { lineChart } from './line-chart.ts';
import { type Markup, markup } from './markup.ts';
import {
  describeFailures,
  describeMachine,
  describeRun,
  type NewestResult,
  newestResults,
} from './newest-results.ts';
import { ratioTexts } from './ratio-texts.ts';
import type { ResultFile } from './results.ts';
import { formatNumber } from './scale.ts';
import { reportStyle } from './style.ts';

const PERCENTILES = { p50Ms: 'p50', p90Ms: 'p90', p99Ms: 'p99', p999Ms: 'p99.9', maxMs: 'max' } as const;
/** The bar chart shows the first of these that a case measures. */
const CAPACITIES = {
  requestsPerSecond: 'Capacity, requests per second (closed loop; more is better)',
  deliveriesPerSecond: 'Capacity, deliveries per second (more is better)',
  rowsPerSecond: 'Capacity, rows per second (more is better)',
  tradesPerSecond: 'Capacity, trades per second (more is better)',
  microsecondsPerCall: 'Microseconds per call (less is better)',
} as const;
const SERIES_MAX = 6;

/**
 * The newest result of each case of `cases` with its plots, and the history of every ratio. One file, without script
 * and without network.
 */
export function reportPage(
  history: readonly ResultFile[],
  budgets: readonly Budget[],
  cases: readonly string[],
  undisturbed: ReadonlySet<string>,
): string {
  const newest = history.at(-1);
  const results = newestResults(history, cases);
  if (newest === undefined || results.length === 0) throw new Error('there is no result to report');
  const { machine } = newest;
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bench ${machine.date.slice(0, 10)} ${machine.commit}</title><style>${{ html: reportStyle }}</style></head><body>
<h1>Bench report</h1>
<p class="quiet">The newest run: ${describeRun(newest)}.<br>
${describeMachine(newest)}. ${describeFailures(newest)}</p>
<p class="quiet">Compare inside one case of one run only. Dots on bars are rounds. Ratios are medians of round-by-round
ratios with the lowest and the highest round. Cases that the newest run does not have are of the last run that has them.</p>
<nav>${results.map(({ name }) => markup`<a href="#${name}">${name}</a>`)}</nav>
${results.map((result) =>
  section(result, newest, history, {
    budgets,
    isQuoted: isQuotable(result.run, undisturbed.has(result.name)),
  }),
)}
</body></html>
`;
  return page.html;
}

function section(
  { name, result, run }: NewestResult,
  newest: ResultFile,
  history: readonly ResultFile[],
  { budgets, isQuoted }: { budgets: readonly Budget[]; isQuoted: boolean },
): Markup {
  const source =
    run === newest
      ? []
      : [
          markup`<p class="quiet">${describeRun(run)}.<br>${describeMachine(run)}. ${describeFailures(run)}</p>`,
        ];
  return markup`<section id="${name}"><h2>${name}</h2><p class="quiet">${result.name}</p>${source}
<div class="scroll">${figureTable(result.figures)}</div>
<div class="scroll">${ratioTable(
    result,
    budgets.filter((budget) => budget.case === name),
    isQuoted,
  )}</div>
<div class="plots">${[
    ...sizePlot(result),
    ...coursePlot(result),
    ...capacityPlot(result),
    ...latencyPlot(result),
    ...distributionPlots(result),
    ...historyPlot(name, history),
  ]}</div></section>`;
}

function figureTable(figures: readonly Figures[]): Markup {
  const columns = [...new Set(figures.flatMap(({ median }) => Object.keys(median)))];
  return markup`<table><thead><tr><th>median of rounds</th>${columns.map((column) => markup`<th>${column}</th>`)}</tr></thead>
<tbody>${figures.map(
    ({ name, median }) =>
      markup`<tr><td>${name}</td>${columns.map(
        (column) => markup`<td>${median[column] === undefined ? '' : formatNumber(median[column])}</td>`,
      )}</tr>`,
  )}</tbody></table>`;
}

function ratioTable(result: CaseResult, budgets: readonly Budget[], isQuoted: boolean): Markup {
  const rows = ratioTexts(result).map(({ ratio, median, rounds }) => {
    const budget = budgets.find((one) => one.ratio === ratio);
    const value = result.ratios[ratio] ?? null;
    const cells = budget === undefined ? markup`<td></td><td></td>` : budgetCells(budget, value, isQuoted);
    return markup`<tr><td>${ratio}</td><td>${median}</td><td>${rounds}</td>${cells}</tr>`;
  });
  return markup`<table><thead><tr><th>ratio</th><th>median</th><th>rounds</th><th>budget</th><th>floor and reason</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function budgetCells(budget: Budget, value: Spread | number | null, isQuoted: boolean): Markup {
  const reason = markup`<td>${explainBudget(budget)}</td>`;
  if (value === null) return markup`<td>${describeBudget(budget)}</td>${reason}`;
  if (!isQuoted) return markup`<td>${describeBudget(budget)}; ${NO_VERDICT}</td>${reason}`;
  const { missedBy, isWithinRounds } = judge(budget, value);
  const tone = missedBy > 0 ? 'missed' : isWithinRounds ? 'within' : 'kept';
  return markup`<td><span class="${tone}">${describeBudget(budget)}: ${describeJudgement(budget, value)}</span></td>${reason}`;
}

function capacityPlot({ figures }: CaseResult): Markup[] {
  const found = Object.entries(CAPACITIES).find(([figure]) => figures.some(({ median }) => figure in median));
  if (found === undefined) return [];
  const [figure, title] = found;
  const bars = figures
    .filter(({ median }) => figure in median)
    .map(({ name, median, rounds }) => ({
      label: name,
      value: median[figure] ?? 0,
      rounds: rounds.map((round) => round[figure] ?? 0),
    }));
  return [barChart(title, bars)];
}

/** Every figure as a line over the sizes of the data. */
function sizePlot({ figures, plot }: CaseResult): Markup[] {
  if (plot !== 'sizes') return [];
  const names = [...new Set(figures.flatMap(({ median }) => Object.keys(median)))];
  const lines = names.map((figure) => ({
    label: figure,
    values: figures.map(({ median }) => median[figure] ?? null),
  }));
  const title = 'Cost by size, microseconds, logarithmic (flat is best)';
  return [lineChart({ title, categories: figures.map(({ name }) => name), lines, logarithmic: true })];
}

/** The variants that are runs of several rounds, from beginning to end. */
function coursePlot({ figures, plot }: CaseResult): Markup[] {
  if (plot !== 'course') return [];
  return figures
    .filter(({ rounds }) => rounds.length > 1)
    .map(({ name, rounds }) =>
      lineChart({
        title: `Course of the run, ${name}`,
        categories: rounds.map((_, at) => String(at + 1)),
        lines: Object.keys(rounds[0] ?? {}).map((figure) => ({
          label: figure,
          values: rounds.map((round) => round[figure] ?? null),
        })),
        logarithmic: false,
      }),
    );
}

function latencyPlot({ figures }: CaseResult): Markup[] {
  const names = Object.keys(PERCENTILES).filter((figure) => figures.some(({ median }) => figure in median));
  if (names.length < 2) return [];
  const lines = figures
    .filter(({ median }) => names.some((figure) => figure in median))
    .map(({ name, median }) => ({ label: name, values: names.map((figure) => median[figure] ?? null) }));
  const categories = names.map((figure) => PERCENTILES[figure as keyof typeof PERCENTILES]);
  return [
    lineChart({ title: 'Latency in ms, logarithmic (less is better)', categories, lines, logarithmic: true }),
  ];
}

/** One plot for each step: how large the slowest half, quarter, eighth … of the samples are at least. */
function distributionPlots({ distributions = [] }: CaseResult): Markup[] {
  const steps = [...new Set(distributions.map(({ step }) => step))];
  return steps.flatMap((step) => {
    const curves = distributions
      .filter((distribution) => distribution.step === step)
      .map((distribution) => ({ label: distribution.variant, curve: curveOf(distribution) }));
    const longest = curves.reduce((most, { curve }) => Math.max(most, curve.length), 0);
    if (longest < 2) return [];
    return [
      lineChart({
        title: `Distribution of ${step}, ms by the share of samples below, logarithmic`,
        categories: Array.from({ length: longest }, (_, at) => `${formatNumber(100 - 50 / 2 ** at)} %`),
        lines: curves.map(({ label, curve }) => ({
          label,
          values: Array.from({ length: longest }, (_, at) => curve[at]?.ms ?? null),
        })),
        logarithmic: true,
      }),
    ];
  });
}

function historyPlot(name: string, history: readonly ResultFile[]): Markup[] {
  const runs = history.filter(({ results }) => name in results);
  if (runs.length < 2) return [];
  const names = Object.keys(runs.at(-1)?.results[name]?.ratios ?? {}).slice(0, SERIES_MAX);
  const lines = names.map((ratio) => ({
    label: ratio,
    values: runs.map(({ results }) => {
      const value = results[name]?.ratios[ratio];
      return value == null ? null : typeof value === 'number' ? value : value.median;
    }),
  }));
  const categories = runs.map(({ machine }) => machine.commit);
  return [
    lineChart({
      title: 'History of the ratios, by commit, logarithmic',
      categories,
      lines,
      logarithmic: true,
    }),
  ];
}
