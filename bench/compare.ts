// npm run bench:compare: measures this tree and another commit in alternating rounds, each side in a new process, and
// reports which differences are more than noise.
import { chooseCases } from './choose-cases.ts';
import { compareCase } from './compare-case.ts';
import { describeMachine } from './measurement/machine.ts';
import { readArguments, refuseArguments, wholeNumberOf } from './read-arguments.ts';
import { registry } from './registry.ts';
import { busyDoubt, describeDoubts } from './report/doubts.ts';
import { runCase } from './run-case.ts';
import { runStoppable } from './run-stoppable.ts';
import { assertCommit, createWorktree } from './worktree.ts';

const USAGE = `npm run bench:compare -- <git ref> [case or group …] [options]
  Prints each round with the time that is left; Ctrl-C prints what the rounds so far say.
  --quick         short rounds, for a first impression
  --rounds 9      rounds of a case (with --quick: 5)
  --round-ms 2000 length of a round in milliseconds (with --quick: 300)
  --seed 1        another seed draws other requests`;

const { values, positionals } = readArguments(USAGE, {
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  'round-ms': { type: 'string' },
  seed: { type: 'string', default: '1' },
});
const [ref, ...wanted] = positionals;
if (ref === undefined) refuseArguments('name a commit to compare with', USAGE);
const { quick } = values;
const wholeNumber = (name: 'rounds' | 'round-ms' | 'seed', least: number) =>
  wholeNumberOf(name, values[name], { least, usage: USAGE });
const rounds = wholeNumber('rounds', 1) ?? (quick ? 5 : 9);
const roundMs = wholeNumber('round-ms', 1) ?? (quick ? 300 : 2_000);
const seed = wholeNumber('seed', 0) ?? 1;
const options = { quick, rounds: 1, roundMs, peers: false };

await runStoppable(async (signal) => {
  const names = chooseCases(wanted, Object.keys(registry));
  await assertCommit(ref);
  const machine = await describeMachine();
  const { commit, cpu } = machine;
  console.log(`installing ${ref} beside this tree …`);
  const base = await createWorktree(ref);
  try {
    const doubts = busyDoubt(machine);
    console.log(
      `${cpu}; this tree (${commit}) against ${ref} (${base.commit}), ${rounds} alternating rounds${doubts.length === 0 ? '' : `; ${describeDoubts(doubts)}`}`,
    );
    for (const name of names)
      await compareCase({
        name,
        ref,
        rounds,
        doubts,
        measure: (side, round) =>
          runCase(name, {
            ...options,
            seed: seed + round,
            ...(side === 'theirs' && { tree: base.folder }),
            signal,
          }),
        print: (line) => console.log(line),
      });
  } finally {
    await base.remove();
  }
  return 0;
});
