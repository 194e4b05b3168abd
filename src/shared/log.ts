import { type Logger, pino } from 'pino';
import { LogDestination } from './log-destination.ts';
import { describeError } from './log-error.ts';
import { LogWriter } from './log-writer.ts';
import { CENSOR, censorFields, createRedactor, SECRET_FIELDS } from './redact.ts';

export type { Logger };

/** The one writer of stderr, shared by all loggers of the process and created with the first. */
let stderr: LogWriter | undefined;

/**
 * JSON lines on stderr, one event a line; `name` is the process (api, worker, relay). A redactor that knows
 * `secrets` (of the configuration) and the forms of our credentials reads every line: no secret in a
 * library's message gets out. A stopped reader delays nothing (LogWriter).
 */
export function createLogger(name: string, level: string, secrets: readonly string[] = []): Logger {
  stderr ??= createWriter();
  const writer = stderr;
  const log = createLoggerOn(writer, { name, level, secrets });
  // A logger with its own level: lost lines are reported even if only errors are logged.
  const lossLog = log.child({}, { level: 'warn' });
  writer.onLoss = (lines) => lossLog.warn({ lines }, 'log.lines_dropped');
  return log;
}

interface LoggerOptions {
  name: string;
  level: string;
  secrets: readonly string[];
}

/** A logger as that of a process, on another writer. */
export function createLoggerOn(writer: LogWriter, { name, level, secrets }: LoggerOptions): Logger {
  return pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      // Without wildcards: pino parses the path of each for every field of every line (8 % of a read with a key).
      redact: { paths: [...SECRET_FIELDS], censor: CENSOR },
      formatters: { log: (fields) => wholeDurations(censorFields(fields)) },
      serializers: { err: describeError },
    },
    new LogDestination(writer, createRedactor(secrets)),
  );
}

/** Durations of a line in whole milliseconds, `pauseMs: 223`: by their names, wherever they come from. */
function wholeDurations(fields: Record<string, unknown>): Record<string, unknown> {
  let rounded = fields;
  for (const name in fields) {
    const value = fields[name];
    if (typeof value !== 'number' || Number.isInteger(value) || !name.endsWith('Ms')) continue;
    if (rounded === fields) rounded = { ...fields };
    rounded[name] = Math.round(value);
  }
  return rounded;
}

function createWriter(): LogWriter {
  const writer = new LogWriter(Bun.stderr.writer());
  process.on('exit', () => writer.writeWaiting());
  return writer;
}

/** Lines lost since the start of the process because no reader took them in time. */
export function droppedLogLines(): number {
  return stderr?.dropped ?? 0;
}

/** Writes a text that is no line of a logger, after all lines. */
export function writeLastWords(text: string): void {
  stderr ??= createWriter();
  stderr.write(text);
}

/** Waits until all lines are written, at most `withinMs`. */
export async function flushLog(withinMs: number): Promise<void> {
  await stderr?.flush(withinMs);
}
