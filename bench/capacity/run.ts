// npm run capacity: computes what a workload takes from the measured costs, and prints it; with --write, writes the tables
// of docs/scaling.md.
import { readArguments, refuseArguments } from '../read-arguments.ts';
import { OPTIONS, readWorkload, USAGE } from './arguments.ts';
import { loadCosts } from './cost-figures.ts';
import {
  columnOf,
  costSource,
  demandTable,
  fillTables,
  generatedTables,
  saturationTable,
  workloadTable,
} from './tables.ts';

const COSTS = new URL('../costs.json', import.meta.url);
const PAGE = new URL('../../docs/scaling.md', import.meta.url);

const { values, positionals } = readArguments(USAGE, OPTIONS);
if (positionals.length > 0) refuseArguments(`unknown argument ${positionals[0]}`, USAGE);
try {
  const { workload, assumed } = readWorkload(values);
  const file = await loadCosts(values.costs ?? COSTS);
  if (values.write) {
    await Bun.write(PAGE, fillTables(await Bun.file(PAGE).text(), generatedTables(file)));
    console.log('wrote the tables of docs/scaling.md');
  } else {
    const columns = [columnOf('asked', workload, file.costs, assumed)];
    console.log(`The workload\n\n${workloadTable(columns)}\n`);
    console.log(`What the smallest deployment has least of\n\n${saturationTable(columns)}\n`);
    console.log(`What it takes\n\n${demandTable(columns)}\n`);
    console.log(costSource(file));
    console.log('What the figures rest on, and how far to trust them: docs/scaling.md');
  }
} catch (error) {
  refuseArguments(error instanceof Error ? error.message : String(error), USAGE);
}
