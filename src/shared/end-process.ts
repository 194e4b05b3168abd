import { flushLog } from './log.ts';

/** A reader of the log that has stopped delays the end of a process by no more than this. */
const LOG_FLUSH_MS = 1_000;

/** Ends the process when its log is written. */
export async function endProcess(code: number): Promise<never> {
  await flushLog(LOG_FLUSH_MS);
  process.exit(code);
}
