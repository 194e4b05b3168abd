import type { TSchema } from '@sinclair/typebox';
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors';
import { instantFault } from '../../shared/instant.ts';
import { suggestedName } from '../../shared/known-names.ts';
import type { FieldErrorCode } from '../../shared/problem.ts';
import { redactForms } from '../../shared/redact.ts';

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

/** The code of an error (contract/errors#field-errors). */
export function errorCode({ type, value }: ValueError): FieldErrorCode {
  if (type === ValueErrorType.Union || type === ValueErrorType.Literal) {
    return typeof value === 'string' ? 'invalid_value' : 'invalid_type';
  }
  return codes[type] ?? 'invalid_type';
}

/**
 * Describes the expected value from the schema, and for a time what is wrong with it. A message never repeats the sent
 * value, except in the suggestion of a similar field name.
 */
export function errorMessage(error: ValueError): string {
  const { schema } = error;
  switch (errorCode(error)) {
    case 'required':
      return 'is required';
    case 'invalid_type':
      return `must be ${typeText(schema)}`;
    case 'invalid_value':
      return error.type === ValueErrorType.ArrayUniqueItems
        ? 'must not hold the same value twice'
        : `must be ${valuesText(schema)}`;
    case 'invalid_format':
      return timeText(error) ?? `must be ${formatText(schema)}`;
    case 'out_of_range':
      return `must be ${rangeText(schema)}`;
    case 'too_short':
      return `must have at least ${lengthText(schema.minLength, schema.minItems)}`;
    case 'too_long':
      return `must have at most ${lengthText(schema.maxLength, schema.maxItems)}`;
    case 'unknown_field':
      return `is not a known field${suggestion(error)}`;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

function typeText(schema: TSchema): string {
  const choices = constants(schema);
  if (choices.length > 0) return valuesText(schema);
  const name = typeNames[String(schema.type)] ?? 'a value of another type';
  if (schema.minimum !== undefined || schema.maximum !== undefined) return `${name} ${rangeText(schema)}`;
  // For a string with a format or a pattern, name that and not its length.
  return schema.format === undefined && schema.pattern === undefined
    ? name
    : `${name}: ${formatText(schema)}`;
}

/** Values that a literal or a union of literals admits. */
function constants(schema: TSchema): unknown[] {
  if ('const' in schema) return [schema.const];
  const branches: unknown = schema.anyOf;
  return Array.isArray(branches) ? branches.flatMap((branch: TSchema) => constants(branch)) : [];
}

function valuesText(schema: TSchema): string {
  const values = constants(schema).map((value) => JSON.stringify(value));
  if (values.length === 0) return 'one of the allowed values';
  return values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`;
}

const formatNames: Readonly<Record<string, string>> = {
  address: 'base58 of 32 bytes, 32 to 44 characters',
  signature: 'base58 of 64 bytes, 64 to 88 characters',
  'event-subject': 'a mint address, or the id of a presale, round, prediction, operation, intent or endpoint',
  uuid: 'a UUID',
  'date-time': 'an RFC 3339 time',
};

/** Captures admitted words, whether 0 is admitted, and how many digits may follow the first. */
const WHOLE = /^\^(?:\((?:\?:)?((?:[a-zA-Z]+\|)*)(0\|)?)?\[1-9\]\[0-9\](?:\*|\{0,(\d+)\})\)?\$$/;
const DECIMAL = '^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$';
const NAME = /^\^\[a-z\]\[a-z0-9_\](?:\*|\{0,(\d+)\})\$$/;

/** Describes the patterns of numbers and names in words; null for any other. */
function patternText(pattern: string): string | null {
  if (pattern === DECIMAL) return 'a decimal number without sign, exponent or superfluous zeros';
  if (NAME.test(pattern)) return 'small letters, digits and underscores, the first one a letter';
  const [whole, words = '', orZero, moreDigits] = WHOLE.exec(pattern) ?? [];
  if (whole === undefined) return null;
  const alternative =
    words === ''
      ? ''
      : `${words
          .slice(0, -1)
          .split('|')
          .map((word) => `"${word}"`)
          .join(', ')} or `;
  return `${alternative}a whole number${digitsText(orZero !== undefined, moreDigits)}, without sign, point or leading zeros`;
}

/**
 * Describes the range of a number from its count of digits. Chain amounts have 64 bits, whatever count a
 * pattern admits.
 */
function digitsText(admitsZero: boolean, moreDigits: string | undefined): string {
  if (moreDigits === undefined) return admitsZero ? '' : ' above 0';
  const most = 10n ** (BigInt(moreDigits) + 1n) - 1n;
  return ` from ${admitsZero ? 0 : 1} to ${most < U64_MAX ? most : U64_MAX}`;
}

const U64_MAX = 2n ** 64n - 1n;

function formatText({ format, pattern, description, examples }: TSchema): string {
  const [example]: unknown[] = Array.isArray(examples) ? examples : [];
  const known = formatNames[String(format)] ?? (pattern === undefined ? null : patternText(pattern));
  const named = known ?? description ?? (pattern === undefined ? `of the format ${format}` : `as ${pattern}`);
  return example === undefined ? named : `${named}, e.g. ${example}`;
}

/** What is wrong with the text of a time; null for other values. */
function timeText({ schema, value }: ValueError): string | null {
  if (schema.format !== 'date-time' || typeof value !== 'string') return null;
  const fault = instantFault(value);
  return fault === null ? null : `${fault}, e.g. ${schema.examples?.[0]}`;
}

function rangeText({ minimum, maximum }: TSchema): string {
  if (minimum === undefined) return `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

function lengthText(characters: unknown, items: unknown): string {
  const [count, unit] = items === undefined ? [characters, 'character'] : [items, 'item'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function suggestion({ path, schema }: ValueError): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return suggestedName(name, Object.keys((schema.properties as object | undefined) ?? {}));
}

/** Longer names are cut in what is sent back. */
const NAME_LENGTH_MAX = 64;

/** A name as a stranger wrote it: bounded, without credentials. */
export function boundedName(name: string): string {
  return redactForms(name).slice(0, NAME_LENGTH_MAX).toWellFormed();
}

/** The name of a field as part of a JSON Pointer (RFC 6901). */
export function pointerToken(name: string): string {
  return boundedName(name).replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('\0', '\ufffd');
}
