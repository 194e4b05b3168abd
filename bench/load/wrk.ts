export interface WrkResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, m: 60_000 };

/** Whether `wrk` is installed; it is an independent generator, and no part of this project. */
export function hasWrk(): boolean {
  return Bun.which('wrk') !== null;
}

/** `wrk` takes whole seconds: it gets a second more than it needs, and a signal in time, at which it reports. */
const MARGIN_MS = 1_000;

/** Closed loop of `wrk` with one thread. Throws when it fails, or when a response had no status of 2xx or 3xx. */
export async function runWrk(url: string, connections: number, durationMs: number): Promise<WrkResult> {
  const ended = await run(url, connections, durationMs + MARGIN_MS, durationMs);
  // On a busy machine the end may come before it has begun: then it runs for the whole second.
  if (ended !== null && ended.requestsPerSecond > 0) return ended;
  const whole = await run(url, connections, durationMs);
  if (whole === null) throw new Error('wrk was killed');
  return whole;
}

/** Null when a signal killed it. */
async function run(
  url: string,
  connections: number,
  durationMs: number,
  endsAfterMs?: number,
): Promise<WrkResult | null> {
  const seconds = Math.max(1, Math.ceil(durationMs / 1_000));
  const child = Bun.spawn(['wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', url], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const ending = endsAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGINT'), endsAfterMs);
  const [text, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  clearTimeout(ending);
  const code = await child.exited;
  if (child.signalCode !== null) return null;
  if (code !== 0) throw new Error(`wrk failed: ${errors || text}`);
  return readWrk(text);
}

/** The figures in the output of `wrk --latency`. Throws when it reports errors or lacks a figure. */
export function readWrk(text: string): WrkResult {
  const errors = /^\s*(?:Non-2xx or 3xx responses|Socket errors): .*$/m.exec(text)?.[0];
  if (errors !== undefined) throw new Error(`wrk reports errors: ${errors.trim()}`);
  const figure = (pattern: RegExp) => {
    const [, value, unit = 'ms'] = pattern.exec(text) ?? [];
    const factor = MS[unit];
    if (value === undefined || factor === undefined)
      throw new Error(`wrk printed no ${pattern.source}: ${text}`);
    return Number(value) * factor;
  };
  return {
    requestsPerSecond: figure(/^Requests\/sec:\s+([\d.]+)$/m),
    p50Ms: figure(/^\s+50%\s+([\d.]+)(us|ms|s|m)$/m),
    p99Ms: figure(/^\s+99%\s+([\d.]+)(us|ms|s|m)$/m),
  };
}
