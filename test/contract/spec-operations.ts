import { readFileSync } from 'node:fs';
import type { ProblemCode } from '../../src/shared/problem-table.ts';
import type { Scope } from '../../src/shared/scopes.ts';

/** One row of the table contract/endpoints#operations. */
export interface SpecOperation {
  method: string;
  path: string;
  id: string;
  auth: 'anonymous' | 'any-key' | Scope;
  ratePolicy: string;
  success: number;
  /** Problem codes that the row names for the operation itself. */
  problems: ProblemCode[];
}

const page = readFileSync(new URL('../../docs/contract/endpoints.md', import.meta.url), 'utf8');

/** The rows of the first table after an anchor, by column, without backticks. Throws without a table. */
function tableAt(anchor: string): Record<string, string>[] {
  const [, section] = page.split(`<a id="${anchor}"></a>`);
  const lines = section
    ?.match(/^\|.*\|\n\|[-|]+\|\n(?:\|.*\|\n)*/m)?.[0]
    .trim()
    .split('\n');
  if (lines === undefined) throw new Error(`docs/contract/endpoints.md has no table at #${anchor}`);
  const [header = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  return rows.map((cells) => {
    if (cells.length !== header.length) throw new Error(`a row at #${anchor} has ${cells.length} cells`);
    return Object.fromEntries(header.map((column, index) => [column, cells[index] ?? '']));
  });
}

const addedRows = tableAt('added');
const problemRows = [...tableAt('problems'), ...tableAt('added-problems')];
const operationRows = [...tableAt('operations'), ...addedRows];
const idsWhere = (column: string) =>
  operationRows.filter((row) => row[column] === 'required').map(({ Operation = '' }) => Operation);

export const specOperations: readonly SpecOperation[] = operationRows.map((row) => ({
  method: row.Method ?? '',
  path: row.Path ?? '',
  id: row.Operation ?? '',
  auth: row.Access as SpecOperation['auth'],
  ratePolicy: row['Rate policy'] ?? '',
  success: Number(row.Success),
  problems: row.Problems === '–' ? [] : (row.Problems?.split(', ') as ProblemCode[]),
}));

/** Operations of the table contract/endpoints#added. */
export const addedOperations = addedRows.map(({ Operation = '' }) => Operation);

/** Operations whose row requires `Idempotency-Key`. */
export const idempotentOperations = idsWhere('Idempotency-Key');

/** Operations whose row requires `If-Match`. */
export const versionedOperations = idsWhere('If-Match');

/** Status of every code of the tables contract/endpoints#problems and contract/endpoints#added-problems. */
export const specProblemStatuses: Readonly<Record<string, number>> = Object.fromEntries(
  problemRows.map(({ Code = '', Status }) => [Code, Number(Status)]),
);

/** Codes with another status in response to GET. */
export const specReadStatuses: Readonly<Record<string, number>> = Object.fromEntries(
  problemRows.filter((row) => row['On reads'] !== '–').map((row) => [row.Code, Number(row['On reads'])]),
);

/** Defaults of the tables contract/endpoints#rate-policies and contract/endpoints#added-rate-policies. */
export const specRatePolicies = Object.fromEntries(
  [...tableAt('rate-policies'), ...tableAt('added-rate-policies')].map((row) => [
    row.Policy,
    { limit: Number(row.Requests), windowSeconds: Number(row['Window (seconds)']) },
  ]),
);
