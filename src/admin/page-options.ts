import type { OptionValues } from './command.ts';
import { numberOr } from './command.ts';
import { type CommandOption, uuid, wholeNumber } from './option.ts';

const DEFAULT_LIMIT = 50;
const LIMIT_MAX = 1_000;

/** Options of every list that is sorted by id. @param what name of the listed records, in the plural */
export function pageOptions(what: string): { limit: CommandOption; after: CommandOption } {
  return {
    limit: wholeNumber('maximum number of records', what, {
      most: LIMIT_MAX,
      default: String(DEFAULT_LIMIT),
    }),
    after: uuid('id after which the page begins: `next` of the previous page'),
  };
}

export function readPage(options: OptionValues): { limit: number; after?: readonly [string] } {
  const { after } = options;
  return {
    limit: numberOr(options, 'limit', DEFAULT_LIMIT),
    ...(after !== undefined && { after: [after.toLowerCase()] as const }),
  };
}

/** Returns the id after which the next page begins; null on the last page. */
export function nextOf({ next }: { next: readonly string[] | null }): string | null {
  return next?.[0] ?? null;
}
