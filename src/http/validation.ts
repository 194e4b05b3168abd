import type { TObject, TSchema } from '@sinclair/typebox';
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { publishedLimits } from '../shared/contract-limits.ts';
import { type FieldError, type FieldErrorCode, Problem } from '../shared/problem.ts';

export type RequestPart = 'path' | 'query' | 'body';

/**
 * A compiled check of one request part. Throws `validation_failed` with every field error of the part
 * (contract/errors#field-errors).
 */
export type Validator = (value: unknown) => void;

export function compileValidator(schema: TSchema, part: RequestPart): Validator {
  const check = TypeCompiler.Compile(schema);
  return (value) => {
    if (!check.Check(value))
      throw new Problem('validation_failed', { errors: fieldErrors(check, value, part) });
  };
}

function fieldErrors(check: TypeCheck<TSchema>, value: unknown, part: RequestPart): FieldError[] {
  // One error a path: a missing property is reported as missing, and then again as not being of its type.
  const byPath = new Map<string, FieldError>();
  for (const error of check.Errors(value)) {
    const precise = mostPrecise(error);
    const path = `/${part}${precise.path}`;
    if (!byPath.has(path))
      byPath.set(path, { path, code: errorCode(precise), message: errorMessage(precise) });
    // No more are searched for than a response may hold (contract/errors#problem-details).
    if (byPath.size === publishedLimits.fieldErrors) break;
  }
  return [...byPath.values()];
}

/** For a nullable field the error of its real type, for other unions the union's own. */
function mostPrecise(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error;
  const nested = error.errors.flatMap((branch) => [...branch]);
  const typed = nested.filter(({ type }) => type !== ValueErrorType.Null);
  const isNullable = typed.length < nested.length;
  return isNullable && typed[0] !== undefined ? mostPrecise(typed[0]) : error;
}

const codes: Partial<Record<ValueErrorType, FieldErrorCode>> = {
  [ValueErrorType.ObjectRequiredProperty]: 'required',
  [ValueErrorType.ObjectAdditionalProperties]: 'unknown_field',
  [ValueErrorType.StringFormat]: 'invalid_format',
  [ValueErrorType.StringPattern]: 'invalid_format',
  [ValueErrorType.StringMinLength]: 'too_short',
  [ValueErrorType.StringMaxLength]: 'too_long',
  [ValueErrorType.ArrayMinItems]: 'too_short',
  [ValueErrorType.ArrayMaxItems]: 'too_long',
  [ValueErrorType.ArrayUniqueItems]: 'invalid_value',
  [ValueErrorType.IntegerMinimum]: 'out_of_range',
  [ValueErrorType.IntegerMaximum]: 'out_of_range',
  [ValueErrorType.NumberMinimum]: 'out_of_range',
  [ValueErrorType.NumberMaximum]: 'out_of_range',
};

const messages: Record<FieldErrorCode, string> = {
  required: 'is required',
  invalid_type: 'has the wrong type',
  invalid_format: 'has the wrong format',
  invalid_value: 'is not one of the allowed values',
  out_of_range: 'is out of range',
  too_short: 'is too short',
  too_long: 'is too long',
  unknown_field: 'is not a known field',
};

function errorCode({ type, value }: ValueError): FieldErrorCode {
  if (type === ValueErrorType.Union || type === ValueErrorType.Literal) {
    return typeof value === 'string' ? 'invalid_value' : 'invalid_type';
  }
  return codes[type] ?? 'invalid_type';
}

function errorMessage(error: ValueError): string {
  const { description, minimum, maximum, minLength, maxLength } = error.schema;
  switch (errorCode(error)) {
    case 'out_of_range':
      return `must be from ${minimum} to ${maximum}`;
    case 'too_short':
      return minLength === undefined ? messages.too_short : `must have at least ${minLength} characters`;
    case 'too_long':
      return maxLength === undefined ? messages.too_long : `must have at most ${maxLength} characters`;
    case 'invalid_format':
      return description === undefined ? messages.invalid_format : `must be ${description}`;
    default:
      return messages[errorCode(error)];
  }
}

/**
 * Query parameters as their schema types them: digits become integers, absent parameters get their default,
 * a repeated parameter becomes an array (which no schema here accepts), unknown ones are ignored
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
