// npm run capacity:costs: measures what one item of everything costs (the case scale/costs) and writes bench/costs.json.
import { loadavg } from 'node:os';
import { busyCores } from '../measurement/busy-cores.ts';
import { describeMachine } from '../measurement/machine.ts';
import { readArguments, wholeNumberOf } from '../read-arguments.ts';
import { runCase } from '../run-case.ts';
import { runStoppable } from '../run-stoppable.ts';
import { type CostFile, checkCosts } from './cost-figures.ts';

const USAGE = `npm run capacity:costs -- [options]
  Takes some three minutes on a quiet machine. On a busy one the figures are too high: caches are shared.
  --rounds 3   rounds of which the medians count, 3 at most
  --quick      a first impression, not to be committed
  --out file   where the costs are written (default: bench/costs.json)`;

const { values } = readArguments(USAGE, {
  rounds: { type: 'string', default: '3' },
  quick: { type: 'boolean', default: false },
  out: { type: 'string' },
});
const rounds = wholeNumberOf('rounds', values.rounds, { least: 1, usage: USAGE }) ?? 3;

await runStoppable(async (signal) => {
  const machine = await describeMachine();
  const busy = busyCores();
  const options = { rounds, roundMs: 1_000, quick: values.quick, signal };
  const { figures } = await runCase('scale/costs', options);
  const [measured] = figures;
  if (measured === undefined) throw new Error('nothing was measured');
  const spread = Object.keys(measured.median).map((name) => {
    const rounds = measured.rounds.map((round) => round[name] ?? Number.NaN);
    return [name, [short(Math.min(...rounds)), short(Math.max(...rounds))]] as const;
  });
  const costs = Object.entries(measured.median).map(([name, value]) => [name, short(value)] as const);
  const file: CostFile = {
    machine,
    load: { after: short(loadavg()[0] ?? 0), busyCores: short(busy()) },
    costs: checkCosts(Object.fromEntries(costs)),
    spread: Object.fromEntries(spread),
  };
  const path = values.out ?? new URL('../costs.json', import.meta.url);
  await Bun.write(path, `${JSON.stringify(file, null, 1)}\n`);
  console.log(
    `wrote ${values.out ?? 'bench/costs.json'}; npm run capacity -- --write brings it into docs/scaling.md`,
  );
  return 0;
});

function short(value: number): number {
  return Number(value.toPrecision(4));
}
