import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';

/** Argument that makes `main.ts` serve instead of supervise; the number of the process follows. */
const INDEX_ARGUMENT = '--api-process=';

/** Returns the number of this api process, from 0; undefined without a supervisor. */
export function apiProcessIndex(): number | undefined {
  const argument = process.argv.find((one) => one.startsWith(INDEX_ARGUMENT));
  return argument === undefined ? undefined : Number(argument.slice(INDEX_ARGUMENT.length));
}

const RESTART_AFTER_MS = 500;
/** Exit code of a process that cannot serve with its configuration (EX_CONFIG): a restart does not help. */
export const MISCONFIGURED = 78;

/**
 * Runs `count` api processes that share the port (`SO_REUSEPORT`) until the signal aborts. A process that
 * exits is started again while the others serve. A process that cannot start with its configuration ends all
 * of them.
 */
export async function superviseApiProcesses(
  count: number,
  signal: AbortSignal,
  log: Logger,
): Promise<'stopped' | 'misconfigured'> {
  const misconfigured = new AbortController();
  const stop = AbortSignal.any([signal, misconfigured.signal]);
  const refuse = () => misconfigured.abort();
  await Promise.all(Array.from({ length: count }, (_, index) => superviseOne(index, stop, refuse, log)));
  return misconfigured.signal.aborted && !signal.aborted ? 'misconfigured' : 'stopped';
}

async function superviseOne(
  index: number,
  signal: AbortSignal,
  refuse: () => void,
  log: Logger,
): Promise<void> {
  for (let starts = 1; !signal.aborted; starts += 1) {
    const child = Bun.spawn([process.execPath, Bun.main, `${INDEX_ARGUMENT}${index}`], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    const exitCode = await child.exited;
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return;
    // The process has written the reason to standard error. If it fails later than its first start, the
    // others may still serve.
    if (exitCode === MISCONFIGURED && starts === 1) return refuse();
    log.error({ index, exitCode, signalCode: child.signalCode }, 'api.process_exited');
    await wait(RESTART_AFTER_MS, signal);
  }
}
