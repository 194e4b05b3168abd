import type { TObject, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { publishedLimits } from '../../shared/contract-limits.ts';
import { suggestedName } from '../../shared/known-names.ts';
import { type FieldError, Problem } from '../../shared/problem.ts';
import { errorCode, errorMessage, pointerToken } from './field-error-text.ts';
import { unstorableTexts } from './stored-text.ts';

export type RequestPart = 'path' | 'query' | 'body';

/**
 * A compiled check of one request part. Throws `validation_failed` with every field error of the part
 * (contract/errors#field-errors).
 */
export type Validator = (value: unknown) => void;

export function compileValidator(schema: TSchema, part: RequestPart): Validator {
  const check = TypeCompiler.Compile(schema);
  return (value) => refuse(check.Check(value) ? [] : fieldErrors(check, value, part));
}

/** Throws `validation_failed` where there is an error. */
export function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

function fieldErrors(check: TypeCheck<TSchema>, value: unknown, part: RequestPart): FieldError[] {
  // Keep the first error of each path: a missing property is also reported as having the wrong type.
  const byPath = new Map<string, FieldError>();
  for (const error of check.Errors(value)) {
    const precise = mostPrecise(error);
    const path = `/${part}${precise.path}`;
    if (!byPath.has(path))
      byPath.set(path, { path, code: errorCode(precise), message: errorMessage(precise) });
    // Stop at the number of errors that a response may hold (contract/errors#problem-details).
    if (byPath.size === publishedLimits.fieldErrors) break;
  }
  return [...byPath.values()];
}

/** For a nullable field the error of its non-null type; for other unions the error of the union itself. */
function mostPrecise(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error;
  const nested = error.errors.flatMap((branch) => [...branch]);
  const typed = nested.filter(({ type }) => type !== ValueErrorType.Null);
  const isNullable = typed.length < nested.length;
  return isNullable && typed[0] !== undefined ? mostPrecise(typed[0]) : error;
}

/** Reads and checks the text of a query. Throws `validation_failed` with every error. */
export type QueryReader = (text: string) => Readonly<Record<string, unknown>>;

/** @param refusesUnknown whether parameters that the schema does not name are errors */
export function compileQueryReader(schema: TObject, refusesUnknown: boolean): QueryReader {
  const check = TypeCompiler.Compile(schema);
  const known = Object.keys(schema.properties);
  return (text) => {
    const values = readQuery(text, schema);
    if (text.includes('%00')) refuse(unstorableTexts(values, '/query'));
    const unknown = refusesUnknown ? unknownParameters(text, known) : [];
    refuse(check.Check(values) ? unknown : [...fieldErrors(check, values, 'query'), ...unknown]);
    return values;
  };
}

function unknownParameters(text: string, known: readonly string[]): FieldError[] {
  // No more errors than a response may hold (contract/errors#problem-details).
  return unknownNames(text, known, publishedLimits.fieldErrors).map((name) => ({
    path: `/query/${pointerToken(name)}`,
    code: 'unknown_field',
    message: `is not a known parameter${suggestedName(name, known)}`,
  }));
}

/** The first names of a query that are not among the known ones, each once. */
export function unknownNames(text: string, known: readonly string[], most: number): string[] {
  if (text === '') return [];
  const names = new Set<string>();
  for (const name of new URLSearchParams(text).keys()) {
    if (!known.includes(name)) names.add(name);
    if (names.size === most) break;
  }
  return [...names];
}

/**
 * Reads query parameters with the types of their schema: digits become integers, absent parameters get their
 * default, a repeated parameter becomes an array (which no schema here accepts), unknown ones are left out
 * (contract/requests#validation).
 */
export function readQuery(text: string, schema: TObject): Record<string, unknown> {
  const given = new URLSearchParams(text);
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const values = given.getAll(name);
    if (values.length > 1) query[name] = values;
    else if (values[0] !== undefined) query[name] = readParameter(values[0], property);
    else if (property.default !== undefined) query[name] = property.default;
  }
  return query;
}

function readParameter(text: string, schema: TSchema): unknown {
  return schema.type === 'integer' && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
