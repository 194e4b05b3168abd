import { type Logger, pino } from 'pino';

export type { Logger };

/** JSON lines on stderr, one event a line; `name` is the process (api, worker, relay). */
export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      base: { name, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.err },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

const REDACTED_PATHS = ['authorization', 'secret', 'apiKey', '*.authorization', '*.secret', '*.apiKey'];
