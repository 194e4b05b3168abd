import type { Logger } from './shared/log.ts';
import { wait } from './shared/loop.ts';

/** Argument that makes `server.ts` serve instead of supervising; the number of the worker follows. */
const WORKER_ARGUMENT = '--worker=';

/** Which worker this process is, from 0; undefined in one that was not started by a supervisor. */
export function workerIndex(): number | undefined {
  const argument = process.argv.find((one) => one.startsWith(WORKER_ARGUMENT));
  return argument === undefined ? undefined : Number(argument.slice(WORKER_ARGUMENT.length));
}

const RESTART_AFTER_MS = 500;

/**
 * Runs `count` copies of the api that share the port (`SO_REUSEPORT`) until the signal aborts. A copy that dies is
 * started again: the others serve meanwhile.
 */
export async function superviseApiWorkers(count: number, signal: AbortSignal, log: Logger): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => superviseOne(index, signal, log)));
}

async function superviseOne(index: number, signal: AbortSignal, log: Logger): Promise<void> {
  while (!signal.aborted) {
    const worker = Bun.spawn([process.execPath, Bun.main, `${WORKER_ARGUMENT}${index}`], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const stop = () => worker.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    const exitCode = await worker.exited;
    signal.removeEventListener('abort', stop);
    if (signal.aborted) return;
    log.error({ index, exitCode, signalCode: worker.signalCode }, 'api.worker_died');
    await wait(RESTART_AFTER_MS, signal);
  }
}
