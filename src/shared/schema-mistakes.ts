import type { TSchema } from '@sinclair/typebox';
import { type ValueError, type ValueErrorIterator, ValueErrorType } from '@sinclair/typebox/errors';

const MISTAKES_SHOWN_MAX = 10;
/** Errors that are read: one wrong list has an error for each of its items. */
const ERRORS_READ_MAX = 100;

/**
 * Describes every mistake of a schema check, missing fields first: `/name and /symbol are missing; /decimals
 * Expected …`.
 */
export function schemaMistakes(errors: ValueErrorIterator): string {
  const missing: string[] = [];
  const others = new Map<string, string>();
  let read = 0;
  for (const error of errors) {
    read += 1;
    const { path, type } = error;
    if (missing.includes(path) || others.has(path)) continue;
    if (type === ValueErrorType.ObjectRequiredProperty) missing.push(path);
    else others.set(path, schemaMistake(error));
    if (missing.length + others.size >= MISTAKES_SHOWN_MAX || read >= ERRORS_READ_MAX) break;
  }
  const last = missing.pop();
  if (last === undefined) return [...others.values()].join('; ') || 'invalid';
  const said = missing.length === 0 ? `${last} is missing` : `${missing.join(', ')} and ${last} are missing`;
  return [said, ...others.values()].join('; ');
}

/** Describes one mistake as `/field expectation`. */
export function schemaMistake({ type, schema, path, message, errors }: ValueError): string {
  // For a nullable field the error of the value itself: "expected a union" does not help.
  const ofValue = type === ValueErrorType.Union && isNullable(schema) ? errors[0]?.First() : undefined;
  if (ofValue !== undefined) return schemaMistake(ofValue);
  const literals = literalsOf(schema);
  const isTime = type === ValueErrorType.StringFormat && schema.format === 'date-time';
  const form = isTime ? 'Expected an existing time of the years 1 to 9999' : message;
  return `${path || '/'} ${literals === null ? form : `Expected one of ${literals.join(', ')}`}`;
}

/** Lists the values of a union of literals; null for any other schema. */
function literalsOf({ anyOf }: TSchema): string[] | null {
  const values = ((anyOf ?? []) as TSchema[]).map((variant) => variant.const as unknown);
  return values.length > 0 && values.every((value) => typeof value === 'string')
    ? (values as string[])
    : null;
}

function isNullable(schema: TSchema): boolean {
  const variants = (schema.anyOf ?? []) as TSchema[];
  return variants.length === 2 && variants[1]?.type === 'null';
}
