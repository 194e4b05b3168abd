import { visible } from './visible.ts';

/**
 * Formats a result for people: one field per line, lists of records as tables. @param width columns of the
 * terminal; 0 disables truncation
 */
export function forPeople(result: Record<string, unknown>, width: number): string {
  const entries = Object.entries(result);
  const fields = entries.filter(([, value]) => !isRecordList(value));
  const lists = entries.filter(([, value]) => isRecordList(value)) as [string, Row[]][];
  const isOnlyList = lists.length === 1 && fields.every(([, value]) => value === null);
  const parts = [
    // An empty field next to a list is left out, such as `next` of a last page.
    ...(isOnlyList || fields.length === 0 ? [] : [fieldLines(fields)]),
    ...lists.map(([name, rows]) => {
      if (rows.length === 0) return `no ${words(name)}`;
      return isOnlyList ? table(rows, width) : `${words(name)}:\n${table(rows, width)}`;
    }),
  ];
  return parts.join('\n\n');
}

type Row = Record<string, unknown>;

function isRecordList(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every((one) => isRecord(one));
}

function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function fieldLines(fields: readonly [string, unknown][]): string {
  const flat = fields.flatMap(([name, value]) => flattened(name, value));
  const shown = flat.map(([name, value]) => [visible(name), paragraph(value)] as const);
  const width = Math.max(...shown.map(([name]) => name.length));
  // Indent the lines of a text, so that none of them looks like a field.
  const next = `\n${' '.repeat(width)}${GAP}`;
  return shown.map(([name, lines]) => `${name.padEnd(width)}${GAP}${lines.join(next)}`).join('\n');
}

/** Splits a text into lines; every other value has one. */
function paragraph(value: unknown): string[] {
  if (typeof value !== 'string' || value === '') return [cell(value)];
  const lines = value.split(/\r?\n/);
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, Math.max(last, 0) + 1).map(visible);
}

/** Flattens a record within a record into fields such as `phases.dnsMs`. */
function flattened(name: string, value: unknown): [string, unknown][] {
  if (!isRecord(value) || Object.keys(value).length === 0) return [[name, value]];
  return Object.entries(value).flatMap(([inner, part]) => flattened(`${name}.${inner}`, part));
}

const GAP = '  ';
/** Smallest width of a truncated column: an id must stay whole. */
const COLUMN_MIN = 36;

/** Leaves out columns that are empty in every row. */
function table(rows: readonly Row[], width: number): string {
  const flat = rows.map(
    (row) => new Map(Object.entries(row).flatMap(([name, value]) => flattened(name, value))),
  );
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))].filter((name) =>
    flat.some((row) => cell(row.get(name)) !== EMPTY),
  );
  const lines = [names.map(heading), ...flat.map((row) => names.map((name) => cell(row.get(name))))];
  const widths = names.map((_, at) => Math.max(...lines.map((line) => Bun.stringWidth(line[at] ?? ''))));
  const fitted = fit(widths, width);
  return lines
    .map((line) =>
      line
        .map((value, at) => padded(value, fitted[at] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
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
  const actual = Bun.stringWidth(value);
  if (actual <= width) return value + ' '.repeat(width - actual);
  let cut = '';
  for (const character of value) {
    if (Bun.stringWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…`.padEnd(width);
}

const EMPTY = '-';

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
