import { ALLOCATOR } from '../services/allocator.ts';
import { type ChildOptions, type RunningChild, startChild } from '../services/child-process.ts';
import { PROJECT_ROOT, type SandboxFolder } from '../shared/sandbox-folder.ts';
import type { Environment } from './environment.ts';
import { pidFileOf } from './leftovers.ts';

interface BunChild extends Required<Pick<ChildOptions, 'name' | 'ready'>> {
  /** A TypeScript file of the project and its arguments. */
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly environment?: Environment;
  readonly stopTimeoutMs?: number;
  readonly onLine?: (line: string) => void;
}

/** Starts an entry of the project as its own process. Its output goes to `logs/<name>.log`. */
export function startBunChild(
  folder: SandboxFolder,
  { environment, ...child }: BunChild,
): Promise<RunningChild> {
  return startChild({
    ...child,
    command: process.execPath,
    cwd: PROJECT_ROOT,
    env: { ...ALLOCATOR, ...process.env, ...environment },
    ownSession: true,
    logFile: `${folder.logs}/${child.name}.log`,
    pidFile: pidFileOf(folder, child.name),
  });
}
