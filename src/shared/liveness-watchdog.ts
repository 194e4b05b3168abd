/** Start parameters of the watchdog's thread. */
export interface WatchdogOrder {
  /** Grows by one with every tick of the watched event loop. */
  beats: Int32Array;
  tickMs: number;
  /** Ticks of the watchdog without a beat, after which the process ends. */
  ticksMax: number;
  /** Name of the process, for the log. */
  name: string;
}

declare const self: Worker;

/** Time to write the log line and to deliver the kill. */
const LAST_PAUSE_MS = 250;

self.onmessage = ({ data }: MessageEvent<WatchdogOrder>) => {
  const { beats, tickMs, ticksMax } = data;
  let seen = -1;
  let silentTicks = 0;
  const timer = setInterval(() => {
    const now = Atomics.load(beats, 0);
    silentTicks = now === seen ? silentTicks + 1 : 0;
    seen = now;
    if (silentTicks < ticksMax) return;
    clearInterval(timer);
    endHangingProcess(data);
  }, tickMs);
};

/**
 * Ends the process without its event loop: no handler runs, nothing is flushed. Other processes take over by
 * lease, as after a crash.
 */
function endHangingProcess({ name, tickMs, ticksMax }: WatchdogOrder): void {
  const line = { level: 60, time: new Date().toISOString(), name, pid: process.pid };
  // A sink of its own never waits for a reader.
  const stderr = Bun.stderr.writer();
  stderr.write(`${JSON.stringify({ ...line, timeoutMs: tickMs * ticksMax, msg: 'event_loop.stalled' })}\n`);
  stderr.flush();
  setTimeout(() => {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container cannot be killed from inside, but it can abort itself.
    setTimeout(() => process.abort(), LAST_PAUSE_MS);
  }, LAST_PAUSE_MS);
}
