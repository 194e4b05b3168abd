import type { LogWriter } from './log-writer.ts';

/** From this level on (warn), a line may be the last words of a process: it does not wait for further lines. */
const UNDELAYED_LEVEL = 40;

/** Asks pino to set `lastLevel` before each line. */
const WITH_LEVEL: unique symbol = Symbol.for('pino.metadata');

/** Where the lines of a logger go: through a redactor to the writer. */
export class LogDestination {
  readonly [WITH_LEVEL] = true;
  lastLevel = 0;
  readonly #writer: LogWriter;
  /** Returns the same text where it holds no secret. */
  readonly redact: (text: string) => string;

  constructor(writer: LogWriter, redact: (text: string) => string) {
    this.#writer = writer;
    this.redact = redact;
  }

  /** For pino, with a line of `lastLevel`. */
  write(line: string): void {
    this.writeRedacted(this.redact(line), this.lastLevel);
  }

  writeRedacted(line: string, level: number): void {
    this.#writer.write(line);
    if (level >= UNDELAYED_LEVEL) this.#writer.writeWaiting();
  }
}
