import { recordText, tableText } from './table.ts';
import { visible, visibleJson } from './visible.ts';

/** Where a command writes: tables for people, JSON for programs. */
export interface Output {
  isJson: boolean;
  /** Prints one record, a field per line. `forPeople` replaces it for people. */
  record(value: object, forPeople?: object): void;
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

export interface Sink {
  write(text: string): unknown;
}

/** Where a program writes: results go to `out`, notes and errors to `err`. */
export interface Sinks {
  out: Sink;
  err: Sink;
}

/** @param indent spaces of a level in JSON @param width columns of the terminal; 0 disables truncation */
export function createOutput(
  isJson: boolean,
  { out, err }: Sinks,
  { indent = 2, width = 0 }: { indent?: number; width?: number } = {},
): Output {
  const write = (text: string) => void out.write(`${text}\n`);
  const json = (value: unknown) => write(visibleJson(value, indent));
  return {
    isJson,
    record: (value, forPeople = value) => (isJson ? json(value) : write(recordText(forPeople, width))),
    table(rows, columns, show = (row) => row) {
      if (isJson) json(rows);
      else write(rows.length === 0 ? 'none' : tableText(rows.map(show), { columns, width }));
    },
    line: (value, text) => write(isJson ? visibleJson(value) : visible(text)),
    script: (text) => void out.write(text),
    note: (text) => void err.write(`${visible(text)}\n`),
  };
}
