// npm run mutate -- <files or folders>: changes one place of the code at a time, in a copy, and reports which changes no
// test notices. docs/testing.md says what its numbers mean.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { onStopSignal } from '../../sandbox/services/stop-signal.ts';
import { type MutationArguments, parseArguments, USAGE } from './arguments.ts';
import { isSameMutant, keyOf, targetFiles, targetMutants } from './choose-mutants.ts';
import { createCompileCheck } from './compile-check.ts';
import { completeCoverage } from './complete-coverage.ts';
import type { TestCoverage } from './coverage-map.ts';
import { inParallel } from './in-parallel.ts';
import { judgeMutant } from './judge-mutant.ts';
import { readSurvivors, saveSurvivors } from './last-survivors.ts';
import { equivalentOf, staleEquivalents } from './match-equivalent.ts';
import type { Mutant } from './mutant.ts';
import { describeSurvivor, type Outcome, reportByArea } from './report.ts';
import { drawSample } from './sample.ts';
import { isMutable, projectFiles } from './tree-copy.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const print = (line: string) => console.log(line);

const stop = new AbortController();
onStopSignal(
  () => stop.abort(),
  (signal) => process.exit(128 + constants.signals[signal]),
);

try {
  await run(parseArguments(process.argv.slice(2)));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(stop.signal.aborted ? 'stopped' : `launchwire mutate: ${message}\n\n${USAGE}`);
  process.exit(1);
}
process.exit(stop.signal.aborted ? 1 : 0);

async function run(settings: MutationArguments): Promise<void> {
  const workshop = await openWorkshop(PROJECT_ROOT, print);
  try {
    const mutants = drawMutants(workshop.pristine, settings);
    const { signal } = stop;
    const coverage = await completeCoverage(PROJECT_ROOT, workshop, { ...settings, signal, print });
    await judgeAll(mutants, workshop, coverage, settings);
  } finally {
    await workshop.close();
  }
}

function drawMutants(tree: string, { targets, sample, seed, again }: MutationArguments): Mutant[] {
  const files = targetFiles(targets, projectFiles(tree).filter(isMutable));
  const all = targetMutants(tree, files, targets);
  const last = again ? readSurvivors(PROJECT_ROOT) : undefined;
  const wanted = all.filter((mutant) => {
    if (last === undefined) return true;
    const key = keyOf(readFileSync(join(tree, mutant.file), 'utf8'), mutant);
    return last.some((other) => isSameMutant(other, key));
  });
  const { accepts } = createCompileCheck(tree, files);
  const drawn = drawSample(wanted, { count: sample ?? wanted.length, seed, accepts });
  print(
    `${all.length} mutants in ${files.length} files before the compiler; runs ${drawn.length}, seed ${seed}`,
  );
  for (const { file, original, mutated } of staleEquivalents(tree))
    print(`the equivalent mutant is none any more: ${file}\n  - ${original}\n  + ${mutated}`);
  return drawn;
}

async function judgeAll(
  mutants: readonly Mutant[],
  { environment, pristine, newCopy }: Workshop,
  coverage: readonly TestCoverage[],
  { parallel, minutes, secondsPerMutant, survivors }: MutationArguments,
): Promise<void> {
  const { signal } = stop;
  if (survivors !== undefined) writeFileSync(survivors, '');
  const outcomes: Outcome[] = [];
  const textOf = ({ file }: Mutant) => readFileSync(join(pristine, file), 'utf8');
  const copies = Array.from({ length: parallel }, newCopy);
  const endMs = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
  const options = { coverage, environment, limitMs: secondsPerMutant * 1000, signal };
  const work = async (mutant: Mutant, worker: number) => {
    const text = textOf(mutant);
    const equivalent = equivalentOf(text, mutant);
    if (equivalent !== undefined) {
      outcomes.push({ mutant, verdict: 'equivalent', reason: equivalent.reason });
      return;
    }
    const judgement = await judgeMutant(copies[worker] ?? '', mutant, options);
    outcomes.push(judgement);
    if (judgement.verdict !== 'survived') return;
    const survivor = describeSurvivor(text, judgement);
    print(`\n[${outcomes.length}/${mutants.length}] ${survivor}`);
    if (survivors !== undefined) appendFileSync(survivors, `${survivor}\n\n`);
  };
  try {
    await inParallel(mutants, parallel, { work, isOver: () => signal.aborted || performance.now() > endMs });
  } finally {
    const survived = outcomes.filter(({ verdict }) => verdict === 'survived');
    saveSurvivors(
      PROJECT_ROOT,
      survived.map(({ mutant }) => keyOf(textOf(mutant), mutant)),
    );
    report(outcomes, mutants.length);
  }
}

function report(outcomes: readonly Outcome[], drawn: number): void {
  if (outcomes.length < drawn) print(`\n${drawn - outcomes.length} of ${drawn} mutants did not run`);
  if (outcomes.length > 0) print(`\n${reportByArea(outcomes)}`);
}
