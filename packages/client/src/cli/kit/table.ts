import { characters, displayWidth } from './display-width.ts';
import { visible } from './visible.ts';

type Row = Readonly<Record<string, unknown>>;

const GAP = '  ';
/** Smallest width of a truncated column: an id must stay whole. */
const COLUMN_MIN = 36;
const EMPTY = '-';

/**
 * Formats a record for people: one field per line, lists of records as tables. @param width columns of the
 * terminal; 0 disables truncation
 */
export function recordText(record: object, width = 0): string {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  const fields = entries.filter(([, value]) => !isRecordList(value));
  const lists = entries.filter((entry): entry is [string, Row[]] => isRecordList(entry[1]));
  const isOnlyList = lists.length === 1 && fields.every(([, value]) => value === null);
  const parts = [
    // An empty field next to a list is left out, such as `next` of a last page.
    ...(isOnlyList || fields.length === 0 ? [] : [fieldLines(fields)]),
    ...lists.map(([name, rows]) => {
      if (rows.length === 0) return `no ${words(name)}`;
      const table = tableText(rows, { width });
      return isOnlyList ? table : `${words(name)}:\n${table}`;
    }),
  ];
  return parts.join('\n\n');
}

/**
 * Formats rows as a table. If `columns` is unset, it has every column that has a value in some row; a record
 * within a row gives several.
 */
export function tableText(
  rows: readonly object[],
  { columns, width = 0 }: { columns?: readonly string[] | undefined; width?: number } = {},
): string {
  const cells = rows.map(
    (row) =>
      new Map(
        columns === undefined
          ? Object.entries(row).flatMap(([name, value]) => flatten(name, value))
          : Object.entries(row),
      ),
  );
  const names =
    columns ??
    [...new Set(cells.flatMap((row) => [...row.keys()]))].filter((name) =>
      cells.some((row) => cell(row.get(name)) !== EMPTY),
    );
  const lines = [names.map(heading), ...cells.map((row) => names.map((name) => cell(row.get(name))))];
  const widths = fit(
    names.map((_, at) => Math.max(...lines.map((line) => displayWidth(line[at] ?? '')))),
    width,
  );
  return lines
    .map((line) =>
      line
        .map((value, at) => padded(value, widths[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function isRecordList(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every((one) => isRecord(one));
}

function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function fieldLines(fields: readonly [string, unknown][]): string {
  const lines = fields
    .flatMap(([name, value]) => flatten(name, value))
    .map(([name, value]) => [visible(name), paragraph(value)] as const);
  const width = Math.max(...lines.map(([name]) => displayWidth(name)));
  // Indent the lines of a text, so that none of them looks like a field.
  const next = `\n${' '.repeat(width)}${GAP}`;
  return lines.map(([name, text]) => `${padded(name, width)}${GAP}${text.join(next)}`).join('\n');
}

/** Splits a text into lines; every other value has one. */
function paragraph(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return [cell(value)];
  const lines = value.split(/\r?\n/);
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, Math.max(last, 0) + 1).map(visible);
}

/** Flattens a record within a record into fields such as `phases.dnsMs`. */
function flatten(name: string, value: unknown): [string, unknown][] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[name, value]];
  return Object.entries(value).flatMap(([inner, part]) => flatten(`${name}.${inner}`, part));
}

/** Narrows the widest columns until all fit; the terminal wraps the rest. */
function fit(widths: readonly number[], width: number): number[] {
  const fitted = [...widths];
  const total = () => fitted.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  while (width > 0 && total() > width) {
    const widest = Math.max(...fitted);
    if (widest <= COLUMN_MIN) break;
    fitted[fitted.indexOf(widest)] = Math.max(COLUMN_MIN, widest - (total() - width));
  }
  return fitted;
}

function padded(value: string, width: number): string {
  const excess = displayWidth(value) - width;
  if (excess <= 0) return value + ' '.repeat(-excess);
  let cut = '';
  for (const character of characters(value)) {
    if (displayWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…${' '.repeat(width - 1 - displayWidth(cut))}`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return EMPTY;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? EMPTY : value.map((part) => cell(part)).join(', ');
  // A table row is a single line.
  return visible(
    typeof value === 'object' ? JSON.stringify(value) : String(value).replaceAll(/\r?\n/g, ' ').trimEnd(),
  );
}

/** `createdAt` → `CREATED AT`. */
function heading(name: string): string {
  return visible(words(name).toUpperCase());
}

function words(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
}
