import type { Logger } from './shared/log.ts';
import { wait } from './shared/loop.ts';

/** Argument that makes `server.ts` serve instead of supervising; the number of the process follows. */
const INDEX_ARGUMENT = '--api-process=';

/** Which of the api processes this one is, from 0; undefined in one that was not started by a supervisor. */
export function apiProcessIndex(): number | undefined {
  const argument = process.argv.find((one) => one.startsWith(INDEX_ARGUMENT));
  return argument === undefined ? undefined : Number(argument.slice(INDEX_ARGUMENT.length));
}

const RESTART_AFTER_MS = 500;

/**
 * Runs `count` api processes that share the port (`SO_REUSEPORT`) until the signal aborts. One that exits is started
 * again; the others serve meanwhile.
 */
export async function superviseApiProcesses(count: number, signal: AbortSignal, log: Logger): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => superviseOne(index, signal, log)));
}

async function superviseOne(index: number, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    const child = Bun.spawn([process.execPath, Bun.main, `${INDEX_ARGUMENT}${index}`], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const stop = () => child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    const exitCode = await child.exited;
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return;
    log.error({ index, exitCode, signalCode: child.signalCode }, 'api.process_exited');
    await wait(RESTART_AFTER_MS, signal);
  }
}
