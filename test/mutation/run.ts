// npm run mutate -- <files or folders>: changes one place of the code at a time, in a copy, and reports which changes no
// test notices. docs/mutation.md says what its numbers mean.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { onStopSignal } from '../../sandbox/services/stop-signal.ts';
import { type MutationArguments, parseArguments, USAGE } from './arguments.ts';
import { baseOf, type ChangedLines, linesChangedSince } from './changed-lines.ts';
import { changedMutants, isSameMutant, keyOf, targetFiles, targetMutants } from './choose-mutants.ts';
import { createCompileCheck } from './compile-check.ts';
import { completeCoverage } from './complete-coverage.ts';
import type { TestCoverage } from './coverage-map.ts';
import { inParallel } from './in-parallel.ts';
import { judgeMutant } from './judge-mutant.ts';
import { readSurvivors, saveSurvivors } from './last-survivors.ts';
import { equivalentOf, staleEquivalents } from './match-equivalent.ts';
import type { Mutant } from './mutant.ts';
import { describeNoticed, describeSurvivor, type Outcome, reportByArea } from './report.ts';
import { drawPlaces, drawSample } from './sample.ts';
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
  const survived = await run(parseArguments(process.argv.slice(2)));
  process.exit(survived > 0 || stop.signal.aborted ? 1 : 0);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  console.error(stop.signal.aborted ? 'stopped' : `launchwire mutate: ${message}\n\n${USAGE}`);
  process.exit(1);
}

/** Returns how many mutants survived. */
async function run(settings: MutationArguments): Promise<number> {
  requireMutantsOfReasons(PROJECT_ROOT);
  const changed = settings.since === undefined ? undefined : changedSince(settings.since);
  if (changed?.size === 0) return 0;
  const workshop = await openWorkshop(PROJECT_ROOT, print);
  try {
    const mutants = drawMutants(workshop.pristine, settings, changed);
    if (mutants.length === 0) return 0;
    const { signal } = stop;
    const coverage = await completeCoverage(PROJECT_ROOT, workshop, { ...settings, signal, print });
    return await judgeAll(mutants, workshop, coverage, settings);
  } finally {
    await workshop.close();
  }
}

/** A reason whose code is gone would be there for ever. */
function requireMutantsOfReasons(root: string): void {
  const stale = staleEquivalents(root).map(
    ({ file, original, mutated }) => `  ${file}\n  - ${original}\n  + ${mutated}`,
  );
  if (stale.length > 0)
    throw new Error(`test/mutation/equivalent.ts names what is no mutant any more:\n${stale.join('\n')}`);
}

function changedSince(since: string): ChangedLines {
  const base = baseOf(PROJECT_ROOT, since);
  const changed = linesChangedSince(PROJECT_ROOT, base);
  const lines = changed.values().reduce((count, { size }) => count + size, 0);
  print(
    lines === 0
      ? `no line of src/ or relay/ has changed since ${since} (${base.slice(0, 12)})`
      : `${lines} lines of ${changed.size} files have changed since ${since} (${base.slice(0, 12)})`,
  );
  return changed;
}

function drawMutants(
  tree: string,
  { targets, sample, seed, again }: MutationArguments,
  changed: ChangedLines | undefined,
): Mutant[] {
  const files = targetFiles(targets, projectFiles(tree).filter(isMutable));
  const named = targetMutants(tree, files, targets);
  const all = changed === undefined ? named : changedMutants(tree, named, changed);
  const last = again ? readSurvivors(PROJECT_ROOT) : undefined;
  const wanted = all.filter((mutant) => {
    if (last === undefined) return true;
    const key = keyOf(readFileSync(join(tree, mutant.file), 'utf8'), mutant);
    return last.some((other) => isSameMutant(other, key));
  });
  const { accepts } = createCompileCheck(tree, files);
  const draw = changed === undefined ? drawSample : drawPlaces;
  const drawn = draw(wanted, { count: sample ?? wanted.length, seed, accepts });
  print(
    `${all.length} mutants in ${files.length} files before the compiler; runs ${drawn.length}, seed ${seed}`,
  );
  return drawn;
}

async function judgeAll(
  mutants: readonly Mutant[],
  { environment, pristine, newCopy }: Workshop,
  coverage: readonly TestCoverage[],
  { parallel, minutes, secondsPerMutant, survivors }: MutationArguments,
): Promise<number> {
  const { signal } = stop;
  if (survivors !== undefined) writeFileSync(survivors, '');
  const say = (text: string) => {
    print(`\n${text}`);
    if (survivors !== undefined) appendFileSync(survivors, `${text}\n\n`);
  };
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
    const progress = `[${outcomes.length}/${mutants.length}]`;
    if (judgement.verdict === 'survived') say(`${progress} ${describeSurvivor(text, judgement)}`);
    else print(`${progress} ${describeNoticed(text, judgement)}`);
  };
  try {
    await inParallel(mutants, parallel, { work, isOver: () => signal.aborted || performance.now() > endMs });
  } finally {
    const survived = outcomes.filter(({ verdict }) => verdict === 'survived');
    saveSurvivors(
      PROJECT_ROOT,
      survived.map(({ mutant }) => keyOf(textOf(mutant), mutant)),
    );
    if (outcomes.length < mutants.length)
      say(`${mutants.length - outcomes.length} of ${mutants.length} mutants did not run`);
    if (outcomes.length > 0) say(reportByArea(outcomes));
    if (survived.length > 0)
      say(
        `${survived.length} survived: each needs a test that kills it, or a reason in test/mutation/equivalent.ts`,
      );
  }
  return outcomes.filter(({ verdict }) => verdict === 'survived').length;
}
