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
import { inParallel } from './in-parallel.ts';
import { judgeMutant } from './judge-mutant.ts';
import { readSurvivors, saveSurvivors } from './last-survivors.ts';
import { equivalentOf, staleEquivalents } from './match-equivalent.ts';
import type { Mutant } from './mutant.ts';
import { describeSurvivor, type Outcome, reportByArea } from './report.ts';
import { drawSample } from './sample.ts';
import { isMutable, projectFiles } from './tree-copy.ts';
import { openWorkshop } from './workshop.ts';

const PROJECT_ROOT = join(import.meta.dir, '..', '..');
const print = (line: string) => console.log(line);
const textOf = (file: string) => readFileSync(join(PROJECT_ROOT, file), 'utf8');

const stop = new AbortController();
onStopSignal(
  () => stop.abort(),
  (signal) => process.exit(128 + constants.signals[signal]),
);

try {
  const settings = parseArguments(process.argv.slice(2));
  await run(settings, drawMutants(settings));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(stop.signal.aborted ? 'stopped' : `launchwire mutate: ${message}\n\n${USAGE}`);
  process.exit(1);
}
process.exit(stop.signal.aborted ? 1 : 0);

function drawMutants({ targets, sample, seed, again }: MutationArguments): Mutant[] {
  const files = targetFiles(targets, projectFiles(PROJECT_ROOT).filter(isMutable));
  const all = targetMutants(PROJECT_ROOT, files, targets);
  const last = again ? readSurvivors(PROJECT_ROOT) : undefined;
  const wanted = all.filter((mutant) => {
    if (last === undefined) return true;
    const key = keyOf(textOf(mutant.file), mutant);
    return last.some((other) => isSameMutant(other, key));
  });
  const { accepts } = createCompileCheck(PROJECT_ROOT, files);
  const drawn = drawSample(wanted, { count: sample ?? wanted.length, seed, accepts });
  print(
    `${all.length} mutants in ${files.length} files before the compiler; runs ${drawn.length}, seed ${seed}`,
  );
  for (const { file, original, mutated } of staleEquivalents(PROJECT_ROOT))
    print(`the equivalent mutant is none any more: ${file}\n  - ${original}\n  + ${mutated}`);
  return drawn;
}

async function run(settings: MutationArguments, mutants: readonly Mutant[]): Promise<void> {
  const { parallel, minutes, secondsPerMutant, refresh, measured, survivors } = settings;
  const { signal } = stop;
  if (survivors !== undefined) writeFileSync(survivors, '');
  const outcomes: Outcome[] = [];
  const workshop = await openWorkshop(PROJECT_ROOT, print);
  try {
    const coverage = await completeCoverage(PROJECT_ROOT, workshop, {
      refresh,
      measured,
      parallel,
      signal,
      print,
    });
    const copies = Array.from({ length: parallel }, () => workshop.newCopy());
    const endMs = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
    const { environment } = workshop;
    const work = async (mutant: Mutant, worker: number) => {
      const text = textOf(mutant.file);
      const equivalent = equivalentOf(text, mutant);
      if (equivalent !== undefined) {
        outcomes.push({ mutant, verdict: 'equivalent', reason: equivalent.reason });
        return;
      }
      const limitMs = secondsPerMutant * 1000;
      const copy = copies[worker] ?? '';
      const judgement = await judgeMutant(copy, mutant, { coverage, environment, limitMs, signal });
      outcomes.push(judgement);
      if (judgement.verdict !== 'survived') return;
      const survivor = describeSurvivor(text, judgement);
      print(`\n[${outcomes.length}/${mutants.length}] ${survivor}`);
      if (survivors !== undefined) appendFileSync(survivors, `${survivor}\n\n`);
    };
    await inParallel(mutants, parallel, { work, isOver: () => signal.aborted || performance.now() > endMs });
  } finally {
    await workshop.close();
    report(outcomes, mutants.length);
  }
}

function report(outcomes: readonly Outcome[], drawn: number): void {
  if (outcomes.length < drawn) print(`\n${drawn - outcomes.length} of ${drawn} mutants did not run`);
  const survived = outcomes.filter(({ verdict }) => verdict === 'survived');
  if (outcomes.length > 0) print(`\n${reportByArea(outcomes)}`);
  saveSurvivors(
    PROJECT_ROOT,
    survived.map(({ mutant }) => keyOf(textOf(mutant.file), mutant)),
  );
}
