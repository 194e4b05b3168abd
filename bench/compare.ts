// bun run bench:compare: measures this tree and another commit in
// alternating rounds, each side in a new process, and reports which differences are more than noise.
import type { CaseResult } from './cases/case.ts';
import { chooseCases } from './choose-cases.ts';
import { judgeDifference } from './judge-difference.ts';
import { describeMachine } from './measurement/machine.ts';
import { pairedRatio } from './measurement/statistics.ts';
import { readArguments, refuseArguments } from './read-arguments.ts';
import { registry } from './registry.ts';
import { runCase } from './run-case.ts';
import { runStoppable } from './run-stoppable.ts';
import { createWorktree } from './worktree.ts';

const USAGE = `bun run bench:compare <git ref> [case or group …] [options]
  --quick    short rounds, for a first impression
  --rounds 9 rounds of a case (with --quick: 5)
  --seed 1   another seed draws other requests`;

const { values, positionals } = readArguments(USAGE, {
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seed: { type: 'string', default: '1' },
});
const [ref, ...wanted] = positionals;
if (ref === undefined) refuseArguments('name a commit to compare with', USAGE);
const { quick } = values;
const rounds = Number(values.rounds ?? (quick ? 5 : 9));
const options = { quick, seed: Number(values.seed), rounds: 1, roundMs: quick ? 300 : 2_000, peers: false };

await runStoppable(async (signal) => {
  const { commit, cpu } = await describeMachine();
  const base = await createWorktree(ref);
  try {
    console.log(
      `${cpu}; this tree (${commit}) against ${ref} (${base.commit}), ${rounds} alternating rounds`,
    );
    for (const name of chooseCases(wanted, Object.keys(registry)))
      await compareCase(name, base.folder, signal);
  } finally {
    await base.remove();
  }
  return 0;
});

async function compareCase(name: string, baseTree: string, signal: AbortSignal): Promise<void> {
  const ours: CaseResult[] = [];
  const theirs: CaseResult[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const measureOurs = async () =>
      void ours.push(await runCase(name, { ...options, seed: options.seed + round, signal }));
    const measureTheirs = async () =>
      void theirs.push(
        await runCase(name, { ...options, seed: options.seed + round, tree: baseTree, signal }),
      );
    const order = round % 2 === 0 ? [measureOurs, measureTheirs] : [measureTheirs, measureOurs];
    for (const measure of order) await measure();
  }
  console.log(`\n${name}: this tree / ${ref}`);
  const [first] = ours;
  for (const { name: variant, median } of first?.figures ?? []) {
    for (const figure of Object.keys(median)) {
      const ratio = pairedRatio(figureOf(ours, variant, figure), figureOf(theirs, variant, figure));
      if (!Number.isFinite(ratio.median)) continue;
      const spread = `[${ratio.min.toFixed(3)} to ${ratio.max.toFixed(3)}]`;
      console.log(`  ${variant}, ${figure}: ${ratio.median.toFixed(3)} ${spread} ${judgeDifference(ratio)}`);
    }
  }
}

function figureOf(results: readonly CaseResult[], variant: string, figure: string): number[] {
  return results.map(
    ({ figures }) => figures.find(({ name }) => name === variant)?.median[figure] ?? Number.NaN,
  );
}
