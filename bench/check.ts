// bun run bench:check [case or group …] [--quick]: measures every case that has a budget and exits with 1 when a ratio
// to the in-run limit regressed. A case that misses a budget is measured once more, with twice the rounds; only what
// misses again counts.
import { parseArgs } from 'node:util';
import { type Budget, describeBudget, isKept, loadBudgets, medianOf } from './budgets.ts';
import type { CaseResult } from './cases/case.ts';
import { chooseCases } from './choose-cases.ts';
import { runCase } from './run-case.ts';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const { quick } = values;
const options = { quick, seed: Number(values.seed), rounds: quick ? 5 : 7, roundMs: quick ? 300 : 2_000 };

const budgets = await loadBudgets();
let missed = 0;
for (const name of chooseCases(positionals)) {
  const own = budgets.filter((budget) => budget.case === name);
  if (own.length === 0) continue;
  let result = await runCase(name, options);
  if (misses(own, result).length > 0) {
    console.log(`${name}: missed a budget, measuring once more`);
    result = await runCase(name, { ...options, rounds: options.rounds * 2 });
  }
  const failed = misses(own, result);
  missed += failed.length;
  for (const budget of own) {
    const mark = failed.includes(budget) ? 'MISSED' : 'kept  ';
    console.log(
      `${mark} ${name}: ${budget.ratio} = ${medianOf(result.ratios, budget.ratio).toFixed(3)}, ${describeBudget(budget)}`,
    );
  }
}
console.log(missed === 0 ? 'bench:check: every budget is kept' : `bench:check: ${missed} budgets missed`);
process.exit(missed === 0 ? 0 : 1);

function misses(budgets: readonly Budget[], { ratios }: CaseResult): Budget[] {
  return budgets.filter((budget) => !isKept(budget, medianOf(ratios, budget.ratio)));
}
