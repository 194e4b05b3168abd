// bun run bench:check: measures every case that has a budget and exits with 1 when one of its
// ratios misses it. A case that misses a budget is measured a second time, with twice the rounds; only what misses again
// counts.
import { type Budget, describeBudget, isKept, loadBudgets, medianOf } from './budgets.ts';
import { type CaseResult, TOO_FEW_SAMPLES } from './cases/case.ts';
import { chooseCases } from './choose-cases.ts';
import { readArguments } from './read-arguments.ts';
import { runCase } from './run-case.ts';
import { runStoppable } from './run-stoppable.ts';

const USAGE = `bun run bench:check [case or group …] [options]
  --quick  short rounds; skips budgets that need more samples
  --seed 1 another seed draws other requests`;

const { values, positionals } = readArguments(USAGE, {
  quick: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
});
const { quick } = values;
const options = { quick, seed: Number(values.seed), rounds: quick ? 5 : 7, roundMs: quick ? 300 : 2_000 };

await runStoppable(async (signal) => {
  const budgets = await loadBudgets();
  let missed = 0;
  for (const name of chooseCases(positionals)) {
    const own = budgets.filter((budget) => budget.case === name);
    if (own.length > 0) missed += await checkCase(name, own, signal);
  }
  console.log(missed === 0 ? 'bench:check: every budget is kept' : `bench:check: ${missed} budgets missed`);
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
        : 'kept   ';
    const median = medianOf(result.ratios, budget.ratio).toFixed(3);
    const value = result.ratios[budget.ratio] === null ? TOO_FEW_SAMPLES : median;
    console.log(`${verdict} ${name}: ${budget.ratio} = ${value}, ${describeBudget(budget)}`);
  }
  return missed.length;
}

function misses(budgets: readonly Budget[], result: CaseResult): Budget[] {
  return budgets.filter(
    (budget) => !isUnmeasured(budget, result) && !isKept(budget, medianOf(result.ratios, budget.ratio)),
  );
}

/** The short version has too few samples for some percentiles; the full one must have enough. */
function isUnmeasured({ ratio }: Budget, { ratios }: CaseResult): boolean {
  return quick && ratios[ratio] === null;
}
