// npm run bench:check: measures every case that has a budget and exits with 1 when one of its ratios misses it. A case
// that misses a budget is measured a second time, with twice the rounds; only what misses again counts.

import { type CaseResult, TOO_FEW_SAMPLES } from './cases/case.ts';
import { chooseCases } from './choose-cases.ts';
import { readArguments, wholeNumberOf } from './read-arguments.ts';
import {
  type Budget,
  describeBudget,
  describeJudgement,
  explainBudget,
  loadBudgets,
  medianOf,
  passes,
} from './report/budgets.ts';
import { runCase } from './run-case.ts';
import { SHORTEST } from './run-shortest.ts';
import { runStoppable } from './run-stoppable.ts';

const USAGE = `npm run bench:check -- [case or group …] [options]
  --full   data and rounds of a quoted run: an hour, and more for the cases of memory. If unset: small data and
           short rounds, under ten minutes, and budgets that need more samples are skipped
  --counts only what is counted, not timed: seconds, on any machine. The tests hold these budgets too
  --seed 1 another seed draws other requests`;

const { values, positionals } = readArguments(USAGE, {
  full: { type: 'boolean', default: false },
  counts: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
});
const { full, counts } = values;
const seed = wholeNumberOf('seed', values.seed, { least: 0, usage: USAGE }) ?? 1;
const options = counts ? SHORTEST : { quick: !full, seed, rounds: full ? 7 : 3, roundMs: full ? 2_000 : 400 };
const startedAtMs = performance.now();

await runStoppable(async (signal) => {
  const budgets = await loadBudgets();
  let missed = 0;
  for (const name of chooseCases(positionals)) {
    const own = budgets.filter((budget) => budget.case === name && (!counts || budget.isCount === true));
    if (own.length > 0) missed += await checkCase(name, own, signal);
  }
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(0);
  const verdict = missed === 0 ? 'no budget is missed beyond its tolerance' : `${missed} budgets missed`;
  console.log(`bench:check: ${verdict} (${seconds} s)`);
  return missed === 0 ? 0 : 1;
});

/** How many budgets of the case are missed. */
async function checkCase(name: string, budgets: readonly Budget[], signal: AbortSignal): Promise<number> {
  let result = await runCase(name, { ...options, signal });
  if (misses(budgets, result).length > 0) {
    console.log(`${name}: missed a budget, measuring again`);
    result = await runCase(name, { ...options, rounds: options.rounds * 2, signal });
  }
  const missed = misses(budgets, result);
  for (const budget of budgets) {
    const verdict = missed.includes(budget)
      ? 'MISSED '
      : isUnmeasured(budget, result)
        ? 'skipped'
        : 'passes ';
    const value = result.ratios[budget.ratio] ?? null;
    const found =
      value === null
        ? TOO_FEW_SAMPLES
        : `${medianOf(result.ratios, budget.ratio).toFixed(3)}: ${describeJudgement(budget, value)}`;
    console.log(`${verdict} ${name}: ${budget.ratio} (${describeBudget(budget)}) = ${found}`);
    if (missed.includes(budget)) console.log(`        ${explainBudget(budget)}`);
  }
  return missed.length;
}

function misses(budgets: readonly Budget[], result: CaseResult): Budget[] {
  return budgets.filter(
    (budget) => !isUnmeasured(budget, result) && !passes(budget, medianOf(result.ratios, budget.ratio)),
  );
}

/** The short version has too few samples for some percentiles; the full one must have enough. */
function isUnmeasured({ ratio, isOfFullRun }: Budget, { ratios }: CaseResult): boolean {
  return !full && (isOfFullRun === true || ratios[ratio] === null);
}
