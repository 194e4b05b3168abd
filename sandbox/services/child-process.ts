import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type ChildStart, childStarts } from './child-starts.ts';
import { createLineSplitter } from './line-splitter.ts';
import { openLogFile } from './log-file.ts';
import { signalAll } from './process-family.ts';

const KEPT_LINES = 20;
const PROBE_INTERVAL_MS = 5;
/** Bounds a hang. A busy machine takes up to twenty times as long as an idle one. */
const READY_TIMEOUT_MS = 60_000;

/** How a child ended: an exit code, or the signal that killed it. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildOptions {
  /** Used in messages. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Replaces the environment. If unset, the child inherits ours. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Run as this user; only root may. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Own session: a Ctrl-C in the terminal reaches this process and not the child, so that we choose the stop order. */
  readonly ownSession?: boolean;
  /** All output is appended here. */
  readonly logFile?: string;
  readonly onLine?: (line: string) => void;
  /** Written with the pid at the start, for `stopOrphan` when the launcher is killed. */
  readonly pidFile?: string;
  /** Ready when a line matches or the probe returns true. If unset, ready immediately. */
  readonly ready?: RegExp | (() => Promise<boolean>);
  readonly readyTimeoutMs?: number;
  readonly stopSignal?: NodeJS.Signals;
  /** SIGKILL follows after this time. */
  readonly stopTimeoutMs?: number;
}

export interface RunningChild {
  readonly name: string;
  readonly pid: number;
  /** Settles when the child has ended and its output is read; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** The newest lines of output, oldest first. */
  lastLines(): string[];
  /** Sends the stop signal, SIGKILL after the deadline, and waits for the exit. May be called again. */
  stop(): Promise<ChildExit>;
  /** SIGKILL, then waits for the exit. */
  kill(): Promise<ChildExit>;
}

/** Starts a process and waits until it is ready. Throws with its last lines when it ends or times out before that; a
 * failed start leaves no process. */
export async function startChild(options: ChildOptions): Promise<RunningChild> {
  const startedAt = performance.now();
  const lines: string[] = [];
  const listeners: ((line: string) => void)[] = [];
  const output = openOutput(options, (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    options.onLine?.(line);
    for (const listener of listeners) listener(line);
  });
  // Before the process exists: its first line may arrive before anything below has run.
  const isReady = readiness(options.ready, listeners);
  const spawned = spawn(options.command, [...options.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.ownSession ?? false,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.user ?? {}),
  });
  const exited = watchExit(spawned, output);
  const pid = await spawnedPid(spawned, options);
  const child = control(options, spawned, pid, exited, lines);
  try {
    if (options.pidFile !== undefined) writeFileSync(options.pidFile, `${pid}\n`, { mode: 0o600 });
    await waitUntilReady(child, options, isReady);
  } catch (error) {
    await child.kill();
    throw error;
  }
  const start: ChildStart = { name: options.name, durationMs: performance.now() - startedAt };
  childStarts.publish(start);
  return child;
}

function openOutput(options: ChildOptions, onLine: (line: string) => void) {
  const log = options.logFile === undefined ? undefined : openLogFile(options.logFile);
  // One splitter per stream, so that two half lines never become one.
  const splitters = [createLineSplitter(onLine), createLineSplitter(onLine)] as const;
  return {
    write(stream: 0 | 1, chunk: string) {
      log?.write(chunk);
      splitters[stream].push(chunk);
    },
    close() {
      for (const splitter of splitters) splitter.end();
      log?.close();
    },
  };
}

function watchExit(spawned: ChildProcess, output: ReturnType<typeof openOutput>): Promise<ChildExit> {
  spawned.stdout?.setEncoding('utf8').on('data', (chunk: string) => output.write(0, chunk));
  spawned.stderr?.setEncoding('utf8').on('data', (chunk: string) => output.write(1, chunk));
  const { promise, resolve } = Promise.withResolvers<ChildExit>();
  let ended = false;
  const end = (exit: ChildExit) => {
    if (ended) return;
    ended = true;
    output.close();
    resolve(exit);
  };
  spawned.once('close', (code, signal) => end({ code, signal }));
  spawned.once('error', () => end({ code: null, signal: null }));
  return promise;
}

function spawnedPid(spawned: ChildProcess, options: ChildOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    spawned.once('error', (error) =>
      reject(new Error(`${options.name} could not be started (${options.command}): ${error.message}`)),
    );
    spawned.once('spawn', () => resolve(spawned.pid ?? 0));
  });
}

function control(
  options: ChildOptions,
  spawned: ChildProcess,
  pid: number,
  exited: Promise<ChildExit>,
  lines: readonly string[],
): RunningChild {
  let over = false;
  void exited.then(() => {
    over = true;
  });
  const kill = () => {
    // With an own session the group id is the pid: what the child started goes with it.
    if (options.ownSession && !over) signalAll([-pid], 'SIGKILL');
    else spawned.kill('SIGKILL');
    return exited;
  };
  return {
    name: options.name,
    pid,
    exited,
    lastLines: () => [...lines],
    kill,
    async stop() {
      spawned.kill(options.stopSignal ?? 'SIGTERM');
      const deadline = setTimeout(kill, options.stopTimeoutMs ?? 10_000);
      const exit = await exited;
      clearTimeout(deadline);
      return exit;
    },
  };
}

function readiness(ready: ChildOptions['ready'], listeners: ((line: string) => void)[]) {
  if (ready === undefined) return () => Promise.resolve();
  if (ready instanceof RegExp) {
    const { promise, resolve } = Promise.withResolvers<void>();
    listeners.push((line) => ready.test(line) && resolve());
    return () => promise;
  }
  return async (signal: AbortSignal) => {
    while (!signal.aborted && !(await ready())) await delay(PROBE_INTERVAL_MS);
  };
}

async function waitUntilReady(
  child: RunningChild,
  options: ChildOptions,
  isReady: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const timeoutMs = options.readyTimeoutMs ?? READY_TIMEOUT_MS;
  const over = new AbortController();
  const late = Promise.withResolvers<'late'>();
  const deadline = setTimeout(() => late.resolve('late'), timeoutMs);
  const outcome = await Promise.race([
    isReady(over.signal).then(() => 'ready' as const),
    child.exited,
    late.promise,
  ]).finally(() => {
    clearTimeout(deadline);
    over.abort();
  });
  if (outcome === 'ready') return;
  const what =
    outcome === 'late'
      ? `was not ready after ${timeoutMs} ms`
      : `ended before it was ready (${describeExit(outcome)})`;
  throw new Error([`${options.name} ${what}; its last lines:`, ...child.lastLines()].join('\n  '));
}

/** `exit code 3` or `signal SIGKILL`. */
export function describeExit(exit: ChildExit): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}
