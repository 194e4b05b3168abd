// npm run bench:latencies: measures the latencies of operations at fixed rates (the case pipeline/latencies) and writes
// bench/latencies.json and the page bench/latencies.md.
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeMachine } from '../measurement/machine.ts';
import { readArguments, refuseArguments, wholeNumberOf } from '../read-arguments.ts';
import { runCase } from '../run-case.ts';
import { runStoppable } from '../run-stoppable.ts';
import { type LatencyFile, latenciesPage } from './page.ts';

const USAGE = `npm run bench:latencies -- [options]
  Takes some five and a half minutes where the machine keeps up with the rates, and longer where it does not.
  --pages       writes the page again from latencies.json, measures nothing
  --quick       few samples, half a minute, not to be quoted (bench/results/quick)
  --seed 1      another seed draws other moments
  --out folder  where latencies.json and latencies.md are written (default: bench)`;

const { values, positionals } = readArguments(USAGE, {
  pages: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  seed: { type: 'string', default: '1' },
  out: { type: 'string' },
});
if (positionals.length > 0) refuseArguments(`${positionals[0]} is not an option`, USAGE);
const { quick, pages } = values;
const seed = wholeNumberOf('seed', values.seed, { least: 0, usage: USAGE }) ?? 1;
const folder = values.out ?? (quick ? 'bench/results/quick' : 'bench');
const data = join(folder, 'latencies.json');

await runStoppable(async (signal) => {
  if (!pages) await measure(signal);
  const bench = relative(folder, join(import.meta.dir, '..'));
  const page = latenciesPage((await Bun.file(data).json()) as LatencyFile, bench);
  await Bun.write(join(folder, 'latencies.md'), page);
  console.log(`${page}\nwrote latencies.md in ${folder}`);
  return 0;
});

async function measure(signal: AbortSignal): Promise<void> {
  const startedAtMs = performance.now();
  const machine = await describeMachine();
  const options = { rounds: 1, roundMs: 1_000, quick, seed, signal };
  console.log(quick ? 'measuring for half a minute …' : 'measuring for some five and a half minutes …');
  const { figures } = await runCase('pipeline/latencies', options);
  const tookSeconds = Math.round((performance.now() - startedAtMs) / 1_000);
  const file: LatencyFile = { machine, quick, tookSeconds, figures };
  await mkdir(folder, { recursive: true });
  await Bun.write(data, `${JSON.stringify(file, null, 1)}\n`);
}
