import { flushLog, writeLastWords } from './log.ts';

/** Longest delay of the end of a process by a reader of its log that has stopped. */
const LOG_FLUSH_MS = 1_000;

/** Writes the log and `lastWords` out, then ends the process. */
export async function endProcess(code: number, lastWords = ''): Promise<never> {
  writeLastWords(lastWords);
  await flushLog(LOG_FLUSH_MS);
  process.exit(code);
}
