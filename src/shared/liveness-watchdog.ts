/** What the thread of the watchdog is started with. */
export interface WatchdogOrder {
  /** Grows by one with every tick of the event loop that is watched. */
  beats: Int32Array;
  tickMs: number;
  /** The watchdog's own, without a beat, after which the process ends. */
  ticksMax: number;
  /** The process, for the log. */
  name: string;
}

declare const self: Worker;

/** For the log line to be written and the kill to be delivered. */
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

/** Without the event loop: no handler runs, nothing is flushed. Other processes take over by lease, as after a crash. */
function endHangingProcess({ name, tickMs, ticksMax }: WatchdogOrder): void {
  const line = { level: 60, time: new Date().toISOString(), name, pid: process.pid };
  // A sink of its own, which never waits for a reader.
  const stderr = Bun.stderr.writer();
  stderr.write(`${JSON.stringify({ ...line, timeoutMs: tickMs * ticksMax, msg: 'event_loop.stalled' })}\n`);
  stderr.flush();
  setTimeout(() => {
    process.kill(process.pid, 'SIGKILL');
    // The first process of a container cannot be killed from inside it, only end itself.
    setTimeout(() => process.abort(), LAST_PAUSE_MS);
  }, LAST_PAUSE_MS);
}
