// bun bench/case-process.ts <case> <options as JSON> <result file>: measures one case in this process and writes its
// result. `bench/run-case.ts` starts one for each case, so that no case inherits another one's heap or compiled code.
import { constants } from 'node:os';
import { onStopSignal } from '../sandbox/services/stop-signal.ts';
import type { CaseOptions } from './cases/case.ts';
import { checkResult } from './cases/check-result.ts';
import { Resources } from './cases/resources.ts';
import { registry } from './registry.ts';

let stopping: Promise<never> | undefined;

/** Ends the servers and processes of the case, then this process. */
function stop(code: number): void {
  stopping ??= Resources.closeAll().then(() => process.exit(code));
}

async function measure(): Promise<void> {
  const [name = '', options = '', file = ''] = process.argv.slice(2);
  const load = registry[name];
  if (load === undefined || file === '') throw new Error(`unknown case ${name}`);
  const run = await load();
  const result = await run(JSON.parse(options) as CaseOptions);
  checkResult(result);
  await Bun.write(file, JSON.stringify(result));
}

onStopSignal(
  (signal) => stop(128 + constants.signals[signal]),
  () => process.exit(1),
);
// The run holds the other end of this pipe: it ends with the run, even when that is killed with SIGKILL.
process.stdin.once('end', () => stop(1)).resume();
try {
  await measure();
} catch (error) {
  // While the case is being stopped, its servers disappear under it.
  if (stopping === undefined) {
    // A case that fails before its `finally` has left servers behind.
    await Resources.closeAll();
    throw error;
  }
}
await (stopping ?? process.exit(0));
