import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALLOCATOR } from '../sandbox/services/allocator.ts';
import type { CaseOptions, CaseResult } from './cases/case.ts';
import { byNameAlone } from './registry.ts';

/** A case that takes longer hangs; ten million requests or a million deliveries take ten minutes. */
const DEADLINE_MS = 40 * 60_000;
/** Time limit of cases that run only by name. */
const LONG_DEADLINE_MS = 6 * 60 * 60_000;
/** Time for ending its servers; then SIGKILL. */
const STOP_TIMEOUT_MS = 30_000;

export interface RunCaseOptions extends CaseOptions {
  /** Root of the tree whose code is measured; this tree by default. */
  tree?: string;
  /** Stops the case and everything that it has started. */
  signal: AbortSignal;
}

/**
 * Measures a case in a process of its own. Throws when it fails: a failed case must not look like a slow one. Throws the
 * reason of the signal when that aborts, after the case has ended everything that it started.
 */
export async function runCase(
  name: string,
  { tree, signal, ...options }: RunCaseOptions,
): Promise<CaseResult> {
  const folder = await mkdtemp(join(tmpdir(), 'launchwire-bench-case-'));
  try {
    // Nothing listens to the signal before the process runs.
    signal.throwIfAborted();
    const file = join(folder, 'result.json');
    const args = ['bench/case-process.ts', name, JSON.stringify(options), file];
    const deadlineMs = byNameAlone.has(name) ? LONG_DEADLINE_MS : DEADLINE_MS;
    const code = await runProcess(args, tree ?? join(import.meta.dir, '..'), deadlineMs, signal);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`case ${name} failed with exit code ${code}`);
    return (await Bun.file(file).json()) as CaseResult;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runProcess(
  args: readonly string[],
  cwd: string,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<number | null> {
  const child = spawn(process.execPath, [...args], {
    cwd,
    // The servers of product and peers get it too.
    env: { ...ALLOCATOR, ...process.env },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  let killTimer: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    killTimer ??= setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  };
  const deadline = setTimeout(stop, deadlineMs);
  signal.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      child.once('exit', resolve);
      child.once('error', reject);
    });
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(deadline);
    clearTimeout(killTimer);
  }
}
