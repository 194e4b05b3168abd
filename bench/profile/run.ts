// npm run bench:profile <case>: runs a case once with profilers in the processes of the product, and prints where
// each of them spent its time, or what it has allocated.
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chooseCases } from '../choose-cases.ts';
import { readArguments, refuseArguments } from '../read-arguments.ts';
import { runCase } from '../run-case.ts';
import { runStoppable } from '../run-stoppable.ts';
import { countAllocations } from './read-allocations.ts';
import { summarise } from './read-profile.ts';

const USAGE = `npm run bench:profile -- <case> [options]
  --heap           also writes the heap of each process at its end
  --allocations    counts the objects of each type that each process allocates, instead of its time
  --round-ms 3000  length of the round in milliseconds
  --top 15         functions or types that are printed for each process
  --out folder     where the profiles are saved (default: bench/results/quick/profiles)`;

const { values, positionals } = readArguments(USAGE, {
  heap: { type: 'boolean', default: false },
  allocations: { type: 'boolean', default: false },
  'round-ms': { type: 'string', default: '3000' },
  top: { type: 'string', default: '15' },
  out: { type: 'string', default: 'bench/results/quick/profiles' },
});
const [name] = positionals;
if (name === undefined || positionals.length > 1) refuseArguments('give exactly one case', USAGE);
const [roundMs, top] = [Number(values['round-ms']), Number(values.top)];
if (![roundMs, top].every((count) => Number.isSafeInteger(count) && count > 0))
  refuseArguments('--round-ms and --top need whole numbers above 0', USAGE);

if (values.heap && values.allocations)
  refuseArguments('--allocations takes a run of its own, without --heap', USAGE);
const kind = values.allocations ? '.allocations.json' : '.cpuprofile';

await runStoppable(async (signal) => {
  const chosen = chooseCases([name]);
  if (chosen.length > 1) refuseArguments(`${name} is a group: choose one of ${chosen.join(', ')}`, USAGE);
  const folder = resolve(values.out, name.replaceAll('/', '-'));
  await rm(folder, { recursive: true, force: true });
  process.env.BENCH_PROFILE = folder;
  if (values.heap) process.env.BENCH_HEAP = 'true';
  if (values.allocations) process.env.BENCH_ALLOCATIONS = 'true';
  await runCase(name, { rounds: 1, roundMs, quick: true, peers: false, seed: 1, signal });
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(kind)).sort();
  if (files.length === 0) {
    console.error(`${name} starts no process of the product that could be profiled`);
    return 1;
  }
  for (const file of files) {
    const text = await Bun.file(join(folder, file)).text();
    console.log(`\n${file}: ${values.allocations ? describeAllocations(text) : describeTimes(text)}`);
  }
  console.log(`\nsaved in ${folder}`);
  if (!values.allocations)
    console.log('speedscope and the Performance panel of Chrome open the .cpuprofile files');
  if (values.heap) console.log('the Memory panel of Chrome opens the .heapsnapshot files');
  return 0;
});

function describeTimes(text: string): string {
  const { busyMs, waitingMs, functions } = summarise(text, process.cwd());
  const rows = functions.slice(0, top).map(({ name: called, place, selfMs }) => {
    const share = ((selfMs / busyMs) * 100).toFixed(1).padStart(5);
    return `${share} %  ${selfMs.toFixed(1).padStart(8)} ms  ${called}  ${place}`;
  });
  const passed = `JavaScript ran for ${busyMs.toFixed(0)} ms, and did not run for ${waitingMs.toFixed(0)} ms`;
  return [passed, ...rows].join('\n');
}

function describeAllocations(text: string): string {
  const { requests, objects, types } = countAllocations(text);
  const rows = types.slice(0, top).map(({ type, count, perRequest }) => {
    const each = perRequest === null ? '' : `${perRequest.toFixed(2).padStart(8)} a request`;
    return `${String(count).padStart(10)}${each}  ${type}`;
  });
  return [`${objects} objects, ${requests} requests`, ...rows].join('\n');
}
