import { nearest, nearestFirst, question } from './nearest.ts';

/** An option or argument of a command, for help, completion and parser. */
export interface Option {
  /** Its meaning. */
  help: string;
  /**
   * Placeholder of the value in `--name <format>`, with the unit of a number. Empty for a flag, which takes
   * no value.
   */
  format: string;
  required?: boolean;
  /** The option may be repeated; its values are joined by commas. */
  isList?: boolean;
  /** The complete list of values, where there is one. */
  choices?: readonly string[];
  /** The value if unset. */
  default?: string;
  /** What the command does if the option is unset, where that is not one value. */
  ifUnset?: string;
  /** A value in the example call. */
  example?: string;
  /** Returns the requirement that an invalid value breaks; null for a valid one. */
  check?(text: string): string | null;
}

/** Options or arguments by name. */
export type Options = Readonly<Record<string, Option>>;

/** What options of every kind may add to their meaning. */
export type Facts = Pick<Option, 'required' | 'default' | 'ifUnset' | 'example'>;

export const required = { required: true } as const;

/** Any text. @param format placeholder of the value in the help */
export function text(help: string, facts: Facts & { format?: string } = {}): Option {
  return { help, ...facts, format: facts.format ?? 'text' };
}

export function flag(help: string): Option {
  return { help, format: '' };
}

const SAFE_DIGITS = /^(?:0|[1-9]\d{0,14})$/;

/** A whole number of at most 15 digits. @param unit unit of the number */
export function wholeNumber(
  help: string,
  unit: string,
  { least = 1, most, ...facts }: Facts & { least?: number; most?: number } = {},
): Option {
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    help,
    ...facts,
    format: unit,
    check: (value) => {
      const isValid =
        SAFE_DIGITS.test(value) && Number(value) >= least && Number(value) <= (most ?? Infinity);
      return isValid ? null : `must be a whole number ${range}`;
    },
  };
}

const RAW_AMOUNT = /^(?:0|[1-9]\d{0,19})$/;

/** A whole number of up to 64 bits. @param unit unit of the number */
export function rawAmount(help: string, unit: string, facts: Facts = {}): Option {
  return {
    help,
    ...facts,
    format: unit,
    check: (value) => (RAW_AMOUNT.test(value) ? null : 'must be a whole number of at most 64 bits'),
  };
}

export function choice(help: string, choices: readonly string[], facts: Facts = {}): Option {
  return {
    help,
    ...facts,
    choices,
    format: choices.join('|'),
    check: (value) => (choices.includes(value) ? null : unknownChoice(value, choices)),
  };
}

/** Values from a list, separated by commas or in several options, or the word `all`. */
export function choices(help: string, all: readonly string[], facts: Facts = {}): Option {
  return {
    help,
    ...facts,
    choices: [...all, 'all'],
    isList: true,
    format: 'a,b,…|all',
    check: (value) => {
      if (value === 'all') return null;
      const unknown = value.split(',').find((part) => !all.includes(part.trim()));
      return unknown === undefined ? null : unknownChoice(unknown, all);
    },
  };
}

/** Returns the values that an option of `choices` names. */
export function chosen<Choice extends string>(value: string, all: readonly Choice[]): Choice[] {
  if (value === 'all') return [...all];
  const wanted = new Set(value.split(',').map((part) => part.trim()));
  return all.filter((one) => wanted.has(one));
}

/** A message names all values of a list that is not longer. */
const VALUES_IN_LINE_MAX = 10;
const NEAREST_COUNT = 5;

function unknownChoice(value: string, all: readonly string[]): string {
  const guess = question(nearest(value, all));
  const quoted = JSON.stringify(value);
  if (all.length <= VALUES_IN_LINE_MAX) return `must be ${orList(all)}, not ${quoted}${guess}`;
  if (guess !== '') return `does not know ${quoted}${guess}`;
  const some = nearestFirst(value, all).slice(0, NEAREST_COUNT).join(', ');
  return `does not know ${quoted}: the nearest of ${all.length} are ${some}; --help names all`;
}

function orList(all: readonly string[]): string {
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}
