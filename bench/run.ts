// npm run bench: measures cases, each in a new process, prints them, and saves the run as a result file with a report
// beside it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DATABASE_TEMPLATE_VARIABLE } from './cases/bench-postgres.ts';
import { chooseCases } from './choose-cases.ts';
import { describeCase } from './describe-case.ts';
import { describeMachine } from './measurement/machine.ts';
import { readArguments, refuseArguments, wholeNumberOf } from './read-arguments.ts';
import { groupsOfSize, registry, undisturbed } from './registry.ts';
import { describeDoubts, doubtsOf } from './report/doubts.ts';
import { createResult, type ResultFile, updateResult } from './report/results.ts';
import { writeReport } from './report/write-report.ts';
import { runCase } from './run-case.ts';
import { runShortest } from './run-shortest.ts';
import { runStoppable } from './run-stoppable.ts';

const USAGE = `npm run bench -- [case or group …] [options]
  --quick         short rounds and one Postgres for all, for a first impression; scale and memory only by name
  --pages         writes the pages of the saved results again, measures nothing
  --shortest      every case once: proves that they work, measures and saves nothing
  --rounds 7      rounds of a case (with --quick: 1)
  --round-ms 2000 length of a round in milliseconds (with --quick: 150)
  --rows 10000000 largest size of cases of scale: rows, endpoints or pools (default of scale/partitions: 100,000,000)
  --count 1000000 items of cases of memory: requests, deliveries, trades or streams
  --rate 2        multiple of the rates of pipeline/day (default: 1, 2 and 4 in turn)
  --cores 2       cores that the processes and servers of pipeline/day may use, by taskset (default: all)
  --seed 1        another seed draws other requests
  --out folder    where the result and its report are saved (default: bench/results, with --quick bench/results/quick)`;

const { values, positionals } = readArguments(USAGE, {
  quick: { type: 'boolean', default: false },
  shortest: { type: 'boolean', default: false },
  pages: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  'round-ms': { type: 'string' },
  rows: { type: 'string' },
  count: { type: 'string' },
  rate: { type: 'string' },
  cores: { type: 'string' },
  seed: { type: 'string', default: '1' },
  out: { type: 'string' },
});
if (values.shortest) await runStoppable((signal) => runShortest(values, positionals, signal));
const { quick } = values;
const rows = wholeNumber('rows', 100);
const count = wholeNumber('count', 100);
const cores = wholeNumber('cores', 1);
const rate = values.rate === undefined ? undefined : Number(values.rate);
if (rate !== undefined && !(rate > 0 && rate <= 100))
  refuseArguments(`--rate needs a number above 0 and at most 100, not ${values.rate}`, USAGE);
const options = {
  quick,
  seed: wholeNumber('seed', 0) ?? 1,
  rounds: wholeNumber('rounds', 1) ?? (quick ? 1 : 7),
  roundMs: wholeNumber('round-ms', 1) ?? (quick ? 150 : 2_000),
  ...(quick && values.rounds === undefined && { warmUp: false }),
  ...(rows !== undefined && { rows }),
  ...(count !== undefined && { count }),
  ...(rate !== undefined && { rate }),
  ...(cores !== undefined && { cores }),
};
// Short runs are for a first impression: only full ones belong to the committed history.
const folder = values.out ?? (quick ? 'bench/results/quick' : 'bench/results');

/** An option that is a whole number of at least `least`; undefined if unset. */
function wholeNumber(
  name: 'seed' | 'rounds' | 'round-ms' | 'rows' | 'count' | 'cores',
  least: number,
): number | undefined {
  return wholeNumberOf(name, values[name], { least, usage: USAGE });
}

await runStoppable(async (signal) => {
  if (values.pages) {
    console.log(
      `wrote ${await writeReport(folder, { cases: Object.keys(registry), undisturbed })} and README.md beside it`,
    );
    return 0;
  }
  const names = namesToRun();
  const runAll = () => runCases(names, signal);
  return quick && names.length > 1 ? withSharedPostgres(runAll) : runAll();
});

/** Measures the cases; returns the exit code. */
async function runCases(names: readonly string[], signal: AbortSignal): Promise<number> {
  const startedAtMs = performance.now();
  const run: ResultFile = { machine: await describeMachine(), options, results: {} };
  const { cpu, cores, bun, node, commit, loadBefore } = run.machine;
  console.log(
    `${cpu}, ${cores} cores, Bun ${bun}, Node ${node}, commit ${commit}, load ${loadBefore.toFixed(2)}`,
  );
  const doubts = doubtsOf(run);
  if (doubts.length > 0) console.log(describeDoubts(doubts));
  let file: string | undefined;
  for (const name of names) {
    await measure(name, run, signal);
    // Saved after each case: what ends the run does not lose what it has measured.
    if (file !== undefined) await updateResult(file, run);
    else if (run.results[name] !== undefined) file = await createResult(folder, run);
  }
  const tookSeconds = ((performance.now() - startedAtMs) / 1000).toFixed(0);
  if (file !== undefined)
    console.log(
      `\n${tookSeconds} s; saved as ${file}, report ${await writeReport(folder, { cases: Object.keys(registry), undisturbed })}`,
    );
  if (run.failed === undefined) return 0;
  console.error(`bench: ${run.failed.length} cases failed: ${run.failed.join(', ')}`);
  return 1;
}

function namesToRun(): readonly string[] {
  const names = chooseCases(positionals);
  if (!quick || positionals.length > 0) return names;
  console.log(`leaves out ${groupsOfSize.join(' and ')}: they need large data; name them to run them`);
  return names.filter((name) => !groupsOfSize.some((group) => name.startsWith(`${group}/`)));
}

/** Measures one case and prints it. A case that fails is noted as failed, and the run goes on. */
async function measure(name: string, run: ResultFile, signal: AbortSignal): Promise<void> {
  const startedAtMs = performance.now();
  try {
    const result = await runCase(name, { ...options, signal });
    run.results[name] = result;
    const tookSeconds = (performance.now() - startedAtMs) / 1000;
    console.log(describeCase(name, result, { tookSeconds, doubts: doubtsOf(run, undisturbed.has(name)) }));
  } catch (error) {
    signal.throwIfAborted();
    run.failed = [...(run.failed ?? []), name];
    console.error(`\n${name}: failed`, error);
  }
}

/**
 * Runs cases on one Postgres, of which each takes a copy of an empty database: nearly two seconds less for each case
 * than a server of its own. A server that the environment already names is used instead.
 */
async function withSharedPostgres<Result>(run: () => Promise<Result>): Promise<Result> {
  if (process.env[DATABASE_TEMPLATE_VARIABLE]) return run();
  const holder = spawn(process.execPath, ['bench/shared-postgres-process.ts'], {
    cwd: join(import.meta.dir, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(holder, 'exit');
  try {
    for await (const url of createInterface({ input: holder.stdout })) {
      process.env[DATABASE_TEMPLATE_VARIABLE] = url;
      return await run();
    }
    throw new Error('the shared Postgres ended before it was ready');
  } finally {
    delete process.env[DATABASE_TEMPLATE_VARIABLE];
    holder.stdin.end();
    await ended;
  }
}
