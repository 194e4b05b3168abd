import type { Logger } from '../shared/log.ts';
import { wait } from '../shared/loop.ts';

/** Argument that makes `main.ts` serve instead of supervising; the number of the process follows. */
const INDEX_ARGUMENT = '--api-process=';

/** Which of the api processes this one is, from 0; undefined in one that was not started by a supervisor. */
export function apiProcessIndex(): number | undefined {
  const argument = process.argv.find((one) => one.startsWith(INDEX_ARGUMENT));
  return argument === undefined ? undefined : Number(argument.slice(INDEX_ARGUMENT.length));
}

const RESTART_AFTER_MS = 500;
/** Exit code of a process that cannot serve as it is configured (EX_CONFIG): starting it again changes nothing. */
export const MISCONFIGURED = 78;

/**
 * Runs `count` api processes that share the port (`SO_REUSEPORT`) until the signal aborts. One that exits is started
 * again; the others serve meanwhile. One that cannot start as it is configured ends all of them.
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
    // It has said why on standard error. Later than at the start, the others may still serve.
    if (exitCode === MISCONFIGURED && starts === 1) return refuse();
    log.error({ index, exitCode, signalCode: child.signalCode }, 'api.process_exited');
    await wait(RESTART_AFTER_MS, signal);
  }
}
