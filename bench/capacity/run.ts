// npm run capacity: computes what a workload takes from the measured costs, and prints it; with --write, writes the tables
// of docs/scaling.md.
import { readArguments, refuseArguments } from '../read-arguments.ts';
import { OPTIONS, readWorkload, USAGE } from './arguments.ts';
import { loadCosts } from './load-costs.ts';
import { planFor } from './plan.ts';
import { loadPrices } from './prices.ts';
import { fillTables, generatedTables } from './scales.ts';
import {
  costSource,
  demandTable,
  deploymentTable,
  exhaustedTable,
  priceLine,
  saturationTable,
  workloadTable,
} from './tables.ts';

const COSTS = new URL('../costs.json', import.meta.url);
const PRICES = new URL('./prices.json', import.meta.url);
const PAGE = new URL('../../docs/scaling.md', import.meta.url);

const { values, positionals } = readArguments(USAGE, OPTIONS);
if (positionals.length > 0) refuseArguments(`unknown argument ${positionals[0]}`, USAGE);
try {
  const { workload, assumed } = readWorkload(values);
  const costs = await loadCosts(values.costs ?? COSTS);
  const prices = await loadPrices(values.prices ?? PRICES);
  if (values.write) {
    await Bun.write(PAGE, fillTables(await Bun.file(PAGE).text(), generatedTables(costs, prices)));
    console.log('wrote the tables of docs/scaling.md');
  } else {
    const scales = [{ title: 'asked', plan: planFor(workload, costs.costs, assumed, prices) }];
    for (const [title, body] of [
      ['The workload', workloadTable(scales)],
      ['What the smallest deployment has least of', saturationTable(scales)],
      ['What it takes', demandTable(scales)],
      ['What to run', `${deploymentTable(scales, prices)}\n\n${priceLine(prices)}`],
      ['Where the design itself must change', exhaustedTable(scales)],
    ] as const)
      console.log(`${title}\n\n${body}\n`);
    console.log(costSource(costs));
    console.log('What the figures rest on, and how far to trust them: docs/scaling.md');
  }
} catch (error) {
  refuseArguments(error instanceof Error ? error.message : String(error), USAGE);
}
