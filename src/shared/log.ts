import { type Logger, pino } from 'pino';
import { describeError } from './log-error.ts';
import { LogWriter } from './log-writer.ts';
import { createRedactor } from './redact.ts';

export type { Logger };

/** The one writer of stderr, shared by all loggers of the process; made with the first of them. */
let stderr: LogWriter | undefined;

/**
 * JSON lines on stderr, one event a line; `name` is the process (api, worker, relay). Every line passes a redactor that
 * knows `secrets` (of the configuration) and the forms of our credentials: whatever a library puts into a message, no
 * secret gets out. A reader that stops holds nothing up (LogWriter).
 */
export function createLogger(name: string, level: string, secrets: readonly string[] = []): Logger {
  const redact = createRedactor(secrets);
  stderr ??= new LogWriter(Bun.stderr.writer());
  const writer = stderr;
  const log = pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { err: describeError },
    },
    { write: (line: string) => writer.write(redact(line)) },
  );
  // At its own level: with only errors logged, the loss of some must be said too.
  const lossLog = log.child({}, { level: 'warn' });
  writer.onLoss = (lines) => lossLog.warn({ lines }, 'log.lines_dropped');
  return log;
}

/** Lines that no reader took in time, since the start of the process. */
export function droppedLogLines(): number {
  return stderr?.dropped ?? 0;
}

/** Waits for lines that are not written yet, at most `withinMs`. */
export async function flushLog(withinMs: number): Promise<void> {
  await stderr?.flush(withinMs);
}

const REDACTED_PATHS = ['authorization', 'secret', 'apiKey', '*.authorization', '*.secret', '*.apiKey'];
