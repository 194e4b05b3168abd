// npm run faults:guards: takes one guard after the other out of a copy of the tree, and lets the checker find it. Exit
// code 1 when a broken guard was not found.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readArguments, refuseArguments } from '../../bench/read-arguments.ts';
import { runStoppable } from '../../bench/run-stoppable.ts';
import { PROJECT_ROOT } from '../../sandbox/shared/sandbox-folder.ts';
import { copyTree } from '../../test/mutation/tree-copy.ts';
import { singleMachineTargets, startSingleMachine } from '../deployment/single-machine.ts';
import type { Verdict } from '../judge/judge.ts';
import { faultPlan } from '../plan/fault-plan.ts';
import { walk } from '../walk.ts';
import { type Guard, guards } from './guards.ts';

const USAGE = `npm run faults:guards -- [options] [guard …]
  --seed 1      of the walks
  --minutes 1.5 minutes of faults for each guard
guards: ${guards.map(({ name }) => name).join(', ')}`;

const { values, positionals } = readArguments(USAGE, {
  seed: { type: 'string', default: '1' },
  minutes: { type: 'string', default: '1.5' },
});
const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
if (!Number.isSafeInteger(seed) || !(minutes > 0)) refuseArguments('--seed or --minutes is no number', USAGE);
const chosen = positionals.length === 0 ? guards : guards.filter(({ name }) => positionals.includes(name));
if (chosen.length < positionals.length) refuseArguments(`unknown: ${positionals.join(' ')}`, USAGE);

await runStoppable(async (signal) => {
  let missed = 0;
  for (const guard of chosen) {
    signal.throwIfAborted();
    const broken = (await walkWithout(guard, signal)).filter((verdict) => verdict.broken.length > 0);
    const isFound = broken.some(({ rule }) => guard.foundBy.includes(rule));
    console.log(`${guard.name}: ${isFound ? 'found' : 'NOT found'}`);
    for (const { rule, broken: found } of broken)
      console.log(`  ${rule}: ${found.length} times, such as: ${found[0]}`);
    if (!isFound) missed += 1;
  }
  return missed === 0 ? 0 : 1;
});

async function walkWithout(guard: Guard, signal: AbortSignal): Promise<readonly Verdict[]> {
  const tree = await mkdtemp(join(tmpdir(), 'launchwire-guard-'));
  try {
    copyTree(PROJECT_ROOT, tree);
    await breakGuard(tree, guard);
    const deployment = await startSingleMachine({ tree, signal });
    try {
      const plan = faultPlan(seed, minutes * 60_000, guard.faults, singleMachineTargets());
      const log = (line: string) => console.log(`  ${line}`);
      const size = { bots: 4, readers: 6, receivers: 4 };
      return (await walk(deployment, { ...size, seed, minutes, plan, signal, log })).verdicts;
    } finally {
      await deployment.close();
    }
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

/** Takes a guard out of a copy of the tree. Throws when its text is not there exactly once: the product has changed. */
async function breakGuard(tree: string, { name, changes }: Guard): Promise<void> {
  for (const { file, from, to } of changes) {
    const path = join(tree, file);
    const text = await readFile(path, 'utf8');
    const places = text.split(from).length - 1;
    if (places !== 1) throw new Error(`${file} has the guard ${name} ${places} times`);
    await writeFile(
      path,
      text.replace(from, () => to),
    );
  }
}
