import { isAddress } from '../shared/address.ts';
import { decodeCanonicalBase64 } from '../shared/bytes.ts';
import { instantFault } from '../shared/instant.ts';
import { meant, nearestFirst } from '../shared/nearest.ts';
import { publicTextFault } from '../shared/public-text.ts';

/** One option of a command, for help, documentation and parser. */
export interface CommandOption {
  description: string;
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
  /** Describes the behaviour without the option. */
  default?: string;
  /** Returns the requirement that an invalid value breaks; null for a valid one. */
  check?(text: string): string | null;
}

type Facts = Pick<CommandOption, 'required' | 'default'>;

export const required = { required: true } as const;

/** Any text. @param format placeholder of the value in the help */
export function text(description: string, facts: Facts & { format?: string } = {}): CommandOption {
  return { description, ...facts, format: facts.format ?? 'text' };
}

/** A name for people, under the rule of all names (contract/tokens#public-texts). */
export function label(description: string, facts: Facts = {}): CommandOption {
  const check = (value: string) => {
    const fault = publicTextFault(value, { isLine: true });
    return fault === null ? null : `must not contain ${fault}`;
  };
  return { ...text(description, facts), check };
}

export function flag(description: string): CommandOption {
  return { description, format: '' };
}

/** A path; `-` is standard input. */
export function jsonFile(description: string): CommandOption {
  return { description: `${description}; - reads standard input`, format: 'path', required: true };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function uuid(description: string, facts: Facts & { or?: string } = {}): CommandOption {
  const { or, ...others } = facts;
  const format = or === undefined ? 'uuid' : `uuid|${or}`;
  const expectation = or === undefined ? 'must be a UUID' : `must be a UUID or ${or}`;
  return {
    description,
    ...others,
    format,
    check: (value) => (UUID.test(value) || value === or ? null : expectation),
  };
}

/** The address of a wallet, mint or account. */
export function address(description: string, facts: Facts = {}): CommandOption {
  return {
    description,
    ...facts,
    format: 'address',
    check: (value) => (isAddress(value) ? null : 'must be a base58 address of 32 bytes'),
  };
}

export function time(description: string, facts: Facts = {}): CommandOption {
  return {
    description,
    ...facts,
    format: 'RFC 3339 time',
    check(value) {
      const fault = instantFault(value);
      return fault === null ? null : `${fault}, e.g. 2026-11-20T10:00:00Z`;
    },
  };
}

const SAFE_DIGITS = /^(?:0|[1-9]\d{0,14})$/;

/** A whole number of at most 15 digits. @param unit unit of the number */
export function wholeNumber(
  description: string,
  unit: string,
  { least = 1, most, ...facts }: Facts & { least?: number; most?: number } = {},
): CommandOption {
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  return {
    description,
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
export function rawAmount(description: string, unit: string, facts: Facts = {}): CommandOption {
  return {
    description,
    ...facts,
    format: unit,
    check: (value) => (RAW_AMOUNT.test(value) ? null : 'must be a whole number of at most 64 bits'),
  };
}

export function choice(description: string, choices: readonly string[], facts: Facts = {}): CommandOption {
  return {
    description,
    ...facts,
    choices,
    format: choices.join('|'),
    check: (value) => (choices.includes(value) ? null : unknownChoice(value, choices)),
  };
}

/** Values from a list, separated by commas or in several options, or the word `all`. */
export function choices(description: string, all: readonly string[], facts: Facts = {}): CommandOption {
  return {
    description,
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

function unknownChoice(value: string, all: readonly string[]): string {
  if (all.length <= 8) return `must be ${orList(all)}, not ${JSON.stringify(value)}`;
  const near = meant(value, all);
  const unknown = `does not know ${JSON.stringify(value)}`;
  if (near !== undefined) return `${unknown}: the nearest is ${near}`;
  if (all.length <= VALUES_IN_LINE_MAX) return `${unknown}: the values are ${all.join(', ')}`;
  return `${unknown}: the nearest of ${all.length} are ${nearestFirst(value, all).slice(0, NEAREST_SHOWN).join(', ')}; --help names all`;
}

/** A longer list is unreadable in one line; the help has it. */
const VALUES_IN_LINE_MAX = 20;
const NEAREST_SHOWN = 5;

function orList(all: readonly string[]): string {
  return all.length === 1 ? `${all[0]}` : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

export function json(description: string, facts: Facts = {}): CommandOption {
  return {
    description,
    ...facts,
    format: 'json',
    check(value) {
      try {
        JSON.parse(value);
        return null;
      } catch {
        return 'must be valid JSON';
      }
    },
  };
}

export function base64(description: string, facts: Facts = {}): CommandOption {
  return {
    description,
    ...facts,
    format: 'base64',
    check: (value) => (decodeCanonicalBase64(value) === null ? 'must be canonical base64' : null),
  };
}
