import { mkdir, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { cachedToken } from './cases/cached-token.ts';
import type { BenchCase, CaseResult } from './cases/case.ts';
import { isolation } from './cases/isolation.ts';
import { submission } from './cases/submission.ts';
import { verification } from './cases/verification.ts';
import { describeMachine } from './measurement/machine.ts';

const cases: Record<string, BenchCase> = {
  verification,
  'cached-token': cachedToken,
  submission,
  isolation,
};

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean' }, save: { type: 'boolean' } },
  allowPositionals: true,
});
const options = values.quick === true ? { rounds: 3, roundMs: 700 } : { rounds: 7, roundMs: 2_000 };
const chosen = positionals.length === 0 ? Object.keys(cases) : positionals;

const machine = await describeMachine();
console.log(`${machine.cpu}, ${machine.cores} cores, Bun ${machine.bun}, commit ${machine.commit}`);
const results: CaseResult[] = [];
for (const name of chosen) {
  const run = cases[name];
  if (run === undefined) throw new Error(`unknown case ${name}; there are ${Object.keys(cases).join(', ')}`);
  const result = await run(options);
  results.push(result);
  print(result);
}
if (values.save === true) await save();

function print({ name, figures, ratios }: CaseResult): void {
  console.log(`\n${name} (medians of ${options.rounds} alternating rounds)`);
  console.table(
    Object.fromEntries(
      figures.map(({ name: variant, median }) => [
        variant,
        Object.fromEntries(
          Object.entries(median).map(([figure, value]) => [figure, Number(value.toPrecision(4))]),
        ),
      ]),
    ),
  );
  for (const [meaning, value] of Object.entries(ratios)) console.log(`  ${meaning}: ${value.toFixed(3)}`);
}

/** Results are only ever added: one file a run, named by date and commit. */
async function save(): Promise<void> {
  const folder = new URL('./results/', import.meta.url);
  await mkdir(folder, { recursive: true });
  const file = new URL(`${machine.date.replaceAll(':', '')}-${machine.commit}.json`, folder);
  await writeFile(file, `${JSON.stringify({ machine, options, results }, null, 2)}\n`, { flag: 'wx' });
  console.log(`\nsaved as ${file.pathname}`);
}
