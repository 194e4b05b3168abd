import { type Logger, pino } from 'pino';
import { describeError } from './log-error.ts';
import { createRedactor } from './redact.ts';

export type { Logger };

/**
 * JSON lines on stderr, one event a line; `name` is the process (api, worker, relay). Every line passes a redactor that
 * knows `secrets` (of the configuration) and the forms of our credentials: whatever a library puts into a message, no
 * secret gets out.
 */
export function createLogger(name: string, level: string, secrets: readonly string[] = []): Logger {
  const redact = createRedactor(secrets);
  const stderr = pino.destination({ dest: 2, sync: true });
  return pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { err: describeError },
    },
    { write: (line: string) => stderr.write(redact(line)) },
  );
}

const REDACTED_PATHS = ['authorization', 'secret', 'apiKey', '*.authorization', '*.secret', '*.apiKey'];
