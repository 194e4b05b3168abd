import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endLeakedProcesses, RUN_MARK } from '../support/run/leaked-processes.ts';

export type TestVerdict = 'passed' | 'failed' | 'timed out';

export interface TestFileRun {
  readonly verdict: TestVerdict;
  readonly wallMs: number;
  /** The end of what it printed. */
  readonly output: string;
}

interface TestFileOptions {
  /** The copy of the tree. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

const OUTPUT_MAX = 4000;

/** Runs one test file in a process group of its own until its first failure, and leaves no process and no file behind. */
export async function runTestFile(file: string, options: TestFileOptions): Promise<TestFileRun> {
  const { folder, environment, limitMs, signal } = options;
  signal.throwIfAborted();
  const mark = randomUUID();
  const tempFolder = mkdtempSync(join(folder, '..', 'run-'));
  // Postgres passes through here under another account when we are root.
  chmodSync(tempFolder, 0o711);
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, ['test', '--bail=1', `./${file}`], {
    cwd: folder,
    env: { ...process.env, ...environment, [RUN_MARK]: mark, TMPDIR: tempFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const read = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-OUTPUT_MAX);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  const limit = new AbortController();
  const stopped = AbortSignal.any([limit.signal, signal]);
  const inTime = delay(limitMs, 'late' as const, { signal: stopped }).catch(() => 'stopped' as const);
  try {
    const first = await Promise.race([exited, inTime]);
    signal.throwIfAborted();
    const verdict = first === 'late' ? 'timed out' : first === 0 ? 'passed' : 'failed';
    return { verdict, wallMs: performance.now() - startedAtMs, output };
  } finally {
    limit.abort();
    endGroup(child.pid);
    await exited;
    await endLeakedProcesses(mark, tempFolder);
    rmSync(tempFolder, { recursive: true, force: true });
  }
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The whole group has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
