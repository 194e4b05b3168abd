import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CaseOptions, CaseResult } from './cases/case.ts';

/** A case that takes longer hangs; ten million requests or a million deliveries take ten minutes. */
const DEADLINE_MS = 40 * 60_000;

export interface RunCaseOptions extends CaseOptions {
  /** Root of the tree whose code is measured; this one's without it. */
  tree?: string;
}

/** Measures a case in a process of its own. Throws when it fails: a failed case is never a slow one. */
export async function runCase(name: string, { tree, ...options }: RunCaseOptions): Promise<CaseResult> {
  const folder = await mkdtemp(join(tmpdir(), 'launchwire-bench-case-'));
  try {
    const file = join(folder, 'result.json');
    const args = ['bench/case-process.ts', name, JSON.stringify(options), file];
    const child = spawn(process.execPath, args, {
      cwd: tree ?? join(import.meta.dir, '..'),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const deadline = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
    const code = await new Promise((resolve, reject) => {
      child.once('exit', resolve);
      child.once('error', reject);
    });
    clearTimeout(deadline);
    if (code !== 0) throw new Error(`case ${name} failed with exit code ${code}`);
    return (await Bun.file(file).json()) as CaseResult;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
