import { type RunningChild, startChild } from '../../../sandbox/services/child-process.ts';
import { freePort } from '../../../sandbox/services/free-port.ts';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { atEnd } from '../run/cleanup.ts';
import { bareEnvironment } from '../run/runtime-variables.ts';
import { createTempDir } from '../run/temp-dir.ts';
import { commandOf } from './compiled-programs.ts';

const CHAIN = 'sandbox/chain/main.ts';
/** Longer than a process takes to end itself (STOP_DEADLINE_MS), also on a busy machine. SIGKILL follows. */
export const STOP_TIMEOUT_MS = 60_000;

/** @param root the sources; by default those of this release */
export const startWorkerProcess = (
  environment: Readonly<Record<string, string>>,
  ready: RegExp = /worker\.started/,
  root: string = PROJECT_ROOT,
) => startServiceProcess('worker', 'src/worker/main.ts', ready, environment, root);

/** @param root the sources; by default those of this release */
export const startRelayProcess = (
  environment: Readonly<Record<string, string>>,
  ready: RegExp = /relay\.ready/,
  root: string = PROJECT_ROOT,
) => startServiceProcess('relay', 'relay/main.ts', ready, environment, root);

export const startInternalProcess = (environment: Readonly<Record<string, string>>) =>
  startServiceProcess('internal', 'src/internal/main.ts', /internal\.listening/, environment);

async function startServiceProcess(
  name: string,
  entry: string,
  ready: RegExp,
  environment: Readonly<Record<string, string>>,
  root: string = PROJECT_ROOT,
): Promise<RunningChild> {
  const child = await startChild({
    name,
    // Another release runs from its sources.
    command: root === PROJECT_ROOT ? await commandOf(entry) : process.execPath,
    args: [entry],
    cwd: root,
    env: { ...bareEnvironment(), ...environment },
    ready,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  atEnd(async () => void (await child.kill()));
  return child;
}

/** Starts the sandbox chain as a separate process, with ten slots a second and blockhashes that are valid for
 * minutes. */
export async function startChainProcess(): Promise<string> {
  const port = await freePort();
  const child = await startChild({
    name: 'chain',
    command: await commandOf(CHAIN),
    args: [
      CHAIN,
      '--port',
      String(port),
      '--data',
      createTempDir('chain'),
      '--slot-ms',
      '100',
      '--blockhash-window',
      '3000',
    ],
    cwd: PROJECT_ROOT,
    ready: /"ready":true/,
  });
  atEnd(async () => void (await child.stop()));
  return `http://127.0.0.1:${port}`;
}
