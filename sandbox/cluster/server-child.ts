import { pidFileOf } from '../processes/leftovers.ts';
import { type ChildOptions, type RunningChild, startChild } from '../services/child-process.ts';
import type { SandboxFolder } from '../shared/sandbox-folder.ts';

type ServerChild = Pick<ChildOptions, 'name' | 'command' | 'args' | 'ready'> &
  Partial<Pick<ChildOptions, 'env' | 'user' | 'stopSignal' | 'stopTimeoutMs' | 'pidFile' | 'cwd'>>;

/** Starts a server of the cluster. Its output goes to `logs/<name>.log`. */
export function startServer(folder: SandboxFolder, child: ServerChild): Promise<RunningChild> {
  return startChild({
    pidFile: pidFileOf(folder, child.name),
    ...child,
    ownSession: true,
    logFile: `${folder.logs}/${child.name}.log`,
  });
}
