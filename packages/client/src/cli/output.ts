/** Where a command writes: tables for people, JSON for programs. */
export interface Output {
  isJson: boolean;
  /** Prints one record, a field per line. `shown` replaces it for people. */
  record(value: object, shown?: object): void;
  /** Prints rows with the named columns. `show` returns the row for people. */
  table<Row extends object>(
    rows: readonly Row[],
    columns: readonly string[],
    show?: (row: Row) => object,
  ): void;
  /** Prints one record of an endless list as a line. */
  line(value: object, text: string): void;
  /** Prints trusted text unchanged. */
  script(text: string): void;
  /** Prints a note for people, beside the result. */
  note(text: string): void;
}

interface Sink {
  write(text: string): unknown;
}

/** Results go to `out`, notes to `err`. */
export function createOutput(isJson: boolean, out: Sink, err: Sink): Output {
  const json = (value: unknown, indent?: number) =>
    out.write(`${JSON.stringify(value, null, indent).replace(COMMANDS_IN_JSON, escaped)}\n`);
  return {
    isJson,
    record: (value, shown = value) => void (isJson ? json(value, 2) : out.write(fieldsOf(shown))),
    table: (rows, columns, show = (row) => row) =>
      void (isJson ? json(rows, 2) : out.write(tableOf(rows.map(show), columns))),
    line: (value, text) => void (isJson ? json(value) : out.write(`${printable(text)}\n`)),
    script: (text) => void out.write(text),
    note: (text) => void err.write(`${printable(text)}\n`),
  };
}

/** Control characters, format characters (marks of direction, joiners, tags) and other ends of a line. */
const COMMANDS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same without the control characters that JSON escapes, and without its own line ends. */
const COMMANDS_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others may hold control codes of a terminal: they are escaped. */
export function printable(text: string): string {
  return text.replace(COMMANDS, escaped);
}

/** As JSON writes a character: by its units of UTF-16. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function fieldsOf(value: object): string {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const lines = entries.map(([name, field]) => [printable(name), cell(field)] as const);
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  return lines.map(([name, field]) => `${name.padEnd(width)}  ${field}\n`).join('');
}

function tableOf(rows: readonly object[], columns: readonly string[]): string {
  if (rows.length === 0) return 'none\n';
  const lines = rows.map((row) => columns.map((column) => cell((row as Record<string, unknown>)[column])));
  const all = [
    columns.map((column) => column.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase()),
    ...lines,
  ];
  const widths = columns.map((_, index) => Math.max(...all.map((line) => line[index]?.length ?? 0)));
  return all
    .map(
      (line) =>
        `${line
          .map((text, index) => text.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const isWords = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isWords) return oneLine(value.join(', ')) || '-';
  return oneLine(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

function oneLine(text: string): string {
  return printable(text.replaceAll(/\r?\n/g, ' '));
}
