// bun bench/case-process.ts <case> <options as JSON> <result file>: measures one case in this process and writes its
// result. `bench/run.ts` starts one for each case, so that no case inherits another one's heap or compiled code.
import type { CaseOptions } from './cases/case.ts';
import { registry } from './registry.ts';

const [name = '', options = '', file = ''] = process.argv.slice(2);
const load = registry[name];
if (load === undefined || file === '') throw new Error(`unknown case ${name}`);
const run = await load();
const result = await run(JSON.parse(options) as CaseOptions);
for (const { name: variant, rounds } of result.figures) {
  const broken = rounds
    .flatMap((round) => Object.entries(round))
    .filter(([, value]) => !Number.isFinite(value));
  if (broken.length > 0) throw new Error(`${variant} measured nothing: ${JSON.stringify(broken)}`);
}
await Bun.write(file, JSON.stringify(result));
process.exit(0);
