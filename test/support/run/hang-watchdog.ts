import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import type { Progress } from './test-progress.ts';

const POLL_MS = 250;
/** The longest test takes 56 s beside three others and the checks (`bus-kills`). */
const LIMIT_MIN_MS = 120_000;
const USUAL_TIMES = 5;
/** Beyond this, more load delays no end of a hang. */
const BUSYNESS_MAX = 5;

export interface HangWatchdogOptions {
  /** Test processes write their `Progress` into it, each into a file named by its pid. */
  readonly folder: string;
  /** How long a file may stand still, in time of a machine that does nothing else. */
  limitOf(file: string): number;
  /** False when the process has already ended. */
  kill(pid: number): boolean;
  log(line: string): void;
}

interface Watched {
  readonly text: string;
  readonly stillMs: number;
}

/**
 * Ends test processes that stand still: that have begun no test for the limit of their file. bun starts another process for the
 * remaining files, and reports the file as failed.
 *
 * @returns ends the watch, and gives a line for each process that was killed
 */
export function watchForHangs(options: HangWatchdogOptions): () => string[] {
  let watched = new Map<number, Watched>();
  const hangs: string[] = [];
  let before = performance.now();
  // biome-ignore lint/plugin: the watch of a run, outside its tests
  const timer = setInterval(() => {
    const now = performance.now();
    // A machine that slept, or gave us no core, has given the tests none either.
    const stillMs = Math.min(now - before, 2 * POLL_MS) / busyness();
    before = now;
    watched = look(options, watched, stillMs, (line) => {
      hangs.push(line);
      options.log(line);
    });
  }, POLL_MS);
  return () => {
    clearInterval(timer);
    return hangs;
  };
}

/** The limit of a file without progress, from what the whole of it usually takes. */
export function hangLimitMs(usualMs: number | undefined): number {
  return Math.max(LIMIT_MIN_MS, USUAL_TIMES * (usualMs ?? 0));
}

/** How many times as long as on a quiet machine everything takes. */
function busyness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.min(BUSYNESS_MAX, Math.max(1, lastMinute / availableParallelism()));
}

function look(
  { folder, limitOf, kill }: HangWatchdogOptions,
  before: ReadonlyMap<number, Watched>,
  passedMs: number,
  report: (line: string) => void,
): Map<number, Watched> {
  const watched = new Map<number, Watched>();
  for (const name of readdirSync(folder)) {
    const place = join(folder, name);
    const text = readProgress(place);
    if (!text.endsWith('}')) continue;
    const pid = Number(name);
    const known = before.get(pid);
    const stillMs = known?.text === text ? known.stillMs + passedMs : 0;
    const { file, test } = JSON.parse(text) as Progress;
    const limitMs = limitOf(file);
    if (stillMs < limitMs) {
      watched.set(pid, { text, stillMs });
      continue;
    }
    rmSync(place, { force: true });
    if (!kill(pid)) continue;
    const since = test === null ? 'it began to load' : `it began its test "${test}"`;
    report(
      `${file} hangs: no progress within ${Math.round(limitMs / 1000)} s since ${since}; its process was killed`,
    );
  }
  return watched;
}

/** Not whole while it is being written, and empty when the process has just ended its file. */
function readProgress(place: string): string {
  try {
    return readFileSync(place, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
