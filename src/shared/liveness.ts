import { endProcess } from './end-process.ts';
import type { WatchdogOrder } from './liveness-watchdog.ts';
import type { Logger } from './log.ts';
import { StalledLoops } from './loop-pulse.ts';

/** Interval of beats and checks. */
const TICK_MS = 250;

export interface LivenessLimits {
  /** A silence of the event loop for this long ends the process; 0 disables it. */
  livenessTimeoutSeconds: number;
  /** A loop that is stalled for this long ends the process; 0 disables it. */
  loopTimeoutSeconds: number;
}

/**
 * Ends the process when its event loop or one of its loops is stalled: a supervisor restarts processes that
 * exit, not those that hang. Both sides count their own ticks and read no clock, so a process that was
 * suspended, or got no CPU, as a whole does not count as hanging.
 */
export function watchLiveness(
  { livenessTimeoutSeconds, loopTimeoutSeconds }: LivenessLimits,
  log: Logger,
): void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  if (livenessTimeoutSeconds > 0) startWatchdog({ beats, ticksMax: ticksIn(livenessTimeoutSeconds) }, log);
  const stalled = new StalledLoops(loopTimeoutSeconds > 0 ? ticksIn(loopTimeoutSeconds) : Infinity);
  const timer = setInterval(() => {
    Atomics.add(beats, 0, 1);
    const loops = stalled.check();
    if (loops.length === 0) return;
    clearInterval(timer);
    log.fatal({ loops, timeoutSeconds: loopTimeoutSeconds }, 'loop.stalled');
    void endProcess(1);
  }, TICK_MS);
  timer.unref();
}

function ticksIn(seconds: number): number {
  return (seconds * 1_000) / TICK_MS;
}

function startWatchdog(watched: Pick<WatchdogOrder, 'beats' | 'ticksMax'>, log: Logger): void {
  const worker = new Worker(new URL('./liveness-watchdog.ts', import.meta.url), { smol: true, ref: false });
  worker.addEventListener('error', ({ message }) => log.error({ message }, 'liveness.watchdog_failed'));
  const { name = '' } = log.bindings();
  worker.postMessage({ ...watched, tickMs: TICK_MS, name } satisfies WatchdogOrder);
}
