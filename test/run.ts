// npm test [-- [--seed N] [--late MS] [--hang-after SECONDS] [--minutes N] arguments of bun test]: starts the shared servers, runs the tests, stops
// everything, and ends with one line `N passed, N failed`. The seed decides what property tests draw; bun's own seed, of a random order, has no use here,
// where the order is that of the timings.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { onStopSignal } from '../sandbox/services/stop-signal.ts';
import { COVERAGE_FILE } from './support/contract-coverage/coverage-file.ts';
import { coverageGaps } from './support/contract-coverage/gaps.ts';
import { FUZZ_MINUTES } from './support/fuzz/fuzz-budget.ts';
import { COSTS_FILE, endedChildrenCpuMs } from './support/run/file-cost.ts';
import { hangLimitMs, watchForHangs } from './support/run/hang-watchdog.ts';
import { countTests, summaryLine, type TestCounts } from './support/run/junit-report.ts';
import { endLeakedProcesses, killProcessOf, RUN_MARK } from './support/run/leaked-processes.ts';
import { createRunFolder } from './support/run/run-folder.ts';
import { takeRunOptions } from './support/run/run-options.ts';
import { runtimeVariables } from './support/run/runtime-variables.ts';
import { SEED_VARIABLE } from './support/run/seed.ts';
import { serveSharedResources } from './support/run/shared-resources.ts';
import { describeCosts, readCosts } from './support/run/slowest-files.ts';
import { PROGRESS_FOLDER } from './support/run/test-progress.ts';
import { sharedMakers } from './support/servers/run-resources.ts';
import { startRunServices } from './support/servers/run-services.ts';

const PROJECT_ROOT = join(import.meta.dir, '..');
const TIMINGS_FILE = '.config/test-timings.json';
/** Four worker processes on the two cores of CI, because tests wait half of their time, and a fresh global object per file: files cannot lean on what
 * another one left behind. The longest files start first, so that none is left over at the end while a core idles;
 * `npm test -- --update-timings` measures them anew. */
const BUN_TEST_FLAGS: readonly string[] = ['--parallel=4', `--timings=${TIMINGS_FILE}`];
const UPDATE_TIMINGS = '--update-timings';
/** Prints where files spent their time after a run of few files, too. By default only a run of more than FEW_FILES prints it. */
const COSTS = '--costs';
/** Lists what no test has seen after a run of some files, too. If COVERAGE_FILE is set, what no run with that file has seen. */
const GAPS = '--gaps';
const FEW_FILES = 10;

interface Outcome {
  /** From the report; undefined when there is none. */
  readonly counts: TestCounts | undefined;
  /** What went wrong besides failed tests. */
  readonly problems: readonly string[];
}

const { seed, lateMs, hangSeconds, fuzzMinutes, rest } = takeRunOptions(process.argv.slice(2));
const folder = createRunFolder();
let stoppedBy: NodeJS.Signals | undefined;
let onStop: (signal: NodeJS.Signals) => void = () => {};
onStopSignal(
  (signal) => {
    stoppedBy = signal;
    onStop(signal);
  },
  (signal) => process.exit(128 + constants.signals[signal]),
);

const outcome = await runEverything(rest).catch((error: unknown) => ({
  counts: undefined,
  problems: [error instanceof Error ? error.message : String(error)],
}));
rmSync(folder, { recursive: true, force: true });
process.exit(report(outcome));

async function runEverything(args: readonly string[]): Promise<Outcome> {
  // The limits are in a file. Where that cannot be read, there are no servers to stop yet.
  const limitOf = hangLimits();
  const services = await startRunServices(folder, (line) => console.error(line), lateMs);
  const mark = randomUUID();
  const reportFile = join(folder, 'junit.xml');
  const coverageFile = process.env[COVERAGE_FILE] ?? join(folder, 'contract-coverage.txt');
  const costsFile = join(folder, 'costs.jsonl');
  for (const file of [coverageFile, costsFile]) appendFileSync(file, '');
  const progressFolder = join(folder, 'progress');
  mkdirSync(progressFolder);
  const marked = { [RUN_MARK]: mark, ...runtimeVariables(folder) };
  const shared = await serveSharedResources(sharedMakers, folder, marked);
  // A resource may need another one.
  Object.assign(process.env, shared.environment);
  const environment = {
    ...services.environment,
    ...marked,
    [COVERAGE_FILE]: coverageFile,
    [COSTS_FILE]: costsFile,
    [PROGRESS_FOLDER]: progressFolder,
    // What a killed test leaves behind goes with our folder.
    TMPDIR: folder,
    [SEED_VARIABLE]: String(seed),
    ...(fuzzMinutes !== undefined && { [FUZZ_MINUTES]: String(fuzzMinutes) }),
  };
  const isAsked = args.includes(COSTS);
  let testsCpuMs = 0;
  const endWatch = watchForHangs({
    folder: progressFolder,
    limitOf,
    kill: (pid) => killProcessOf(mark, pid),
    log: (line) => console.error(`launchwire test: ${line}`),
  });
  try {
    const exitCode = await runTests(
      args.filter((arg) => arg !== COSTS && arg !== GAPS),
      reportFile,
      environment,
    );
    await shared.stop();
    testsCpuMs = endedChildrenCpuMs();
    const leaked = await endLeakedProcesses(mark, folder);
    const leaks = leaked.map(({ pid, command }) => `the tests left a process running: ${pid} ${command}`);
    // Only a complete run can have seen everything.
    const isComplete = args.every((arg) => arg === UPDATE_TIMINGS || arg === COSTS);
    const gaps = isComplete || args.includes(GAPS) ? coverageGaps(coverageFile) : [];
    return judge(exitCode, reportFile, [...endWatch(), ...leaks, ...gaps]);
  } finally {
    endWatch();
    await shared.stop();
    await services.stop();
    const costs = readCosts(readFileSync(costsFile, 'utf8'));
    // What ended after the tests are the servers.
    const serverCpuMs = endedChildrenCpuMs() - testsCpuMs;
    if (isAsked || costs.length > FEW_FILES) console.error(describeCosts(costs, serverCpuMs).join('\n'));
  }
}

/** The limit of each file without progress, in ms. */
function hangLimits(): (file: string) => number {
  if (hangSeconds !== undefined) return () => hangSeconds * 1000;
  const { files } = JSON.parse(readFileSync(join(PROJECT_ROOT, TIMINGS_FILE), 'utf8')) as {
    files: Readonly<Record<string, number>>;
  };
  // The fuzzer begins no test for a part of its time.
  const fuzzMs = (fuzzMinutes ?? 0) * 60_000;
  return (file) => hangLimitMs(files[file]) + fuzzMs;
}

function judge(exitCode: number, reportFile: string, leaks: readonly string[]): Outcome {
  if (!existsSync(reportFile)) return { counts: undefined, problems: [...leaks, 'bun test wrote no report'] };
  const counts = countTests(readFileSync(reportFile, 'utf8'));
  if (counts.passed + counts.failed === 0) return { counts, problems: [...leaks, 'no test ran'] };
  if (exitCode === 0 || counts.failed > 0) return { counts, problems: leaks };
  // A file that does not load is in no report.
  const unreported = `bun test ended with exit code ${exitCode} although no reported test failed: see its errors above`;
  return { counts, problems: [...leaks, unreported] };
}

async function runTests(
  args: readonly string[],
  reportFile: string,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  if (stoppedBy !== undefined) return 1;
  const flags = [...BUN_TEST_FLAGS, '--reporter=junit', `--reporter-outfile=${reportFile}`];
  const child = spawn(process.execPath, ['test', ...flags, ...args], {
    cwd: PROJECT_ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  onStop = () => child.kill('SIGTERM');
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', reject);
  });
}

/** Prints the end of the run and returns the exit code. A problem that is no test counts as one failure, so that
 * the line alone never looks like success. */
function report({ counts, problems }: Outcome): number {
  const { passed, failed, skipped } = counts ?? { passed: 0, failed: 0, skipped: 0 };
  const all = stoppedBy === undefined ? problems : [`stopped by ${stoppedBy}`];
  for (const problem of all) console.error(`launchwire test: ${problem}`);
  if (failed + all.length > 0)
    console.error(
      `launchwire test: the seed was ${seed}; npm test -- --seed ${seed} <file> draws the same again`,
    );
  const total = { passed, failed: failed + all.length, skipped };
  console.log(summaryLine(total));
  if (stoppedBy !== undefined) return 128 + constants.signals[stoppedBy];
  return total.failed === 0 ? 0 : 1;
}
