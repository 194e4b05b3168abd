import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../../sandbox/shared/sandbox-folder.ts';
import { readState, type SandboxState } from '../../../sandbox/shared/state-file.ts';
import { commandOf } from '../processes/compiled-programs.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';
import { createTempDir } from '../run/temp-dir.ts';

/** The sandbox starts ten processes one after the other, perhaps on a busy machine. The test's limit is
 * longer. */
const READY_TIMEOUT_MS = 300_000;
const LAUNCHER = 'sandbox/start.ts';
const SUMMARY_END = 'Ctrl-C stops everything';

export interface ProcessOutcome {
  code: number | null;
  /** Both streams. */
  output: string;
}

export interface SandboxProcess {
  state: SandboxState;
  /** Its output so far. */
  output(): string;
  /** Sends the signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<ProcessOutcome>;
}

/** Creates a folder for a sandbox that only this test uses. */
export function createSandboxDir(): string {
  return join(createTempDir('sandbox'), 'sandbox');
}

/** Starts the launcher of `npm start` from its source, on free ports, until the test ends. Returns when its state file exists
 * and its summary is printed. */
export async function startSandbox(
  sandboxDir: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<SandboxProcess> {
  const launcher = spawnSandbox(sandboxDir, args, environment);
  atEnd(() => launcher.stop('SIGTERM').then(() => {}));
  return untilReady(launcher, sandboxDir);
}

/** Like `startSandbox`, but compiled, and the caller stops it. A failed start leaves nothing. */
export async function launchSandbox(
  sandboxDir: string,
  environment: Record<string, string>,
): Promise<SandboxProcess> {
  const launcher = spawnSandbox(sandboxDir, [], environment, await commandOf(LAUNCHER));
  try {
    return await untilReady(launcher, sandboxDir);
  } catch (error) {
    await launcher.stop('SIGTERM');
    throw error;
  }
}

function spawnSandbox(
  sandboxDir: string,
  args: readonly string[],
  environment: Record<string, string>,
  command?: string,
): ReturnType<typeof spawnBun> {
  return spawnBun([LAUNCHER, ...args], { SANDBOX_DIR: sandboxDir, PORT: '0', ...environment }, command);
}

async function untilReady(
  launcher: ReturnType<typeof spawnBun>,
  sandboxDir: string,
): Promise<SandboxProcess> {
  const stateFile = join(sandboxDir, 'state.json');
  let ended = false;
  void launcher.ended.then(() => {
    ended = true;
  });
  // The launcher writes the file before it prints its summary.
  const isReady = () => existsSync(stateFile) && launcher.output().includes(SUMMARY_END);
  await eventually('state file and summary', async () => ended || isReady(), READY_TIMEOUT_MS);
  const state = readState(stateFile);
  if (state === undefined) throw new Error(`the sandbox did not start:\n${launcher.output()}`);
  return { state, output: launcher.output, stop: launcher.stop };
}

/** Runs a TypeScript entry of the project to its end. */
export async function runBun(
  args: readonly [entry: string, ...rest: string[]],
  environment: Record<string, string>,
): Promise<ProcessOutcome> {
  return spawnBun(args, environment, await commandOf(args[0])).ended;
}

/** Runs a TypeScript entry of the project until it ends or is stopped. `child` allows other signals. */
export function spawnBun(
  args: readonly string[],
  environment: Record<string, string>,
  command = process.execPath,
) {
  const child = spawn(command, [...args], {
    cwd: PROJECT_ROOT,
    env: { ...withoutServers(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = new Promise<ProcessOutcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
  return {
    child,
    ended,
    output: () => output,
    stop: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Removes the run's servers from the environment, so that the sandbox starts its own. */
function withoutServers(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _d, NATS_URL: _n, REDIS_URL: _r, SOLANA_RPC_URL: _s, ...rest } = process.env;
  return rest;
}
