import { type Logger, pino } from 'pino';
import { LogDestination } from './log-destination.ts';

/** Lines of one level and one message, whose fields their caller encodes: for a line of each request (decision 0121). */
export interface EncodedLines {
  /** Removes secrets from the JSON text of values, as from every line. Returns the same text where there are none. */
  redact(text: string): string;
  /**
   * Writes a line, whatever the level of the logger is now.
   *
   * @param fields JSON text without secrets: nothing reads it again. It begins with a comma: `,"status":200`
   */
  write(fields: string): void;
}

/** @param log a logger of `createLogger`, or a child of one, with the bindings that it keeps */
export function encodedLines(log: Logger, level: 'info', message: string): EncodedLines {
  const destination: unknown = Reflect.get(log, pino.symbols.streamSym);
  if (!(destination instanceof LogDestination)) throw new Error('the logger has another destination');
  const levelNumber = pino.levels.values[level] ?? 0;
  const bindings = destination.redact(String(Reflect.get(log, pino.symbols.chindingsSym)));
  const begin = `{"level":${levelNumber},"time":"`;
  const end = `,"msg":${destination.redact(JSON.stringify(message))}}\n`;
  return {
    redact: destination.redact,
    write: (fields) =>
      destination.writeRedacted(`${begin}${timeOf(Date.now())}"${bindings}${fields}${end}`, levelNumber),
  };
}

let second = Number.NaN;
let secondText = '';

/** As `toISOString`, which formats each second once here. */
function timeOf(ms: number): string {
  const ofSecond = ms % 1000;
  if (ms - ofSecond !== second) {
    second = ms - ofSecond;
    secondText = new Date(second).toISOString().slice(0, -'000Z'.length);
  }
  const digits = ofSecond < 10 ? `00${ofSecond}` : ofSecond < 100 ? `0${ofSecond}` : ofSecond;
  return `${secondText}${digits}Z`;
}
