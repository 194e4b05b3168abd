import type { Values } from '../../packages/client/src/cli/kit/command.ts';
import { type Option, wholeNumber } from '../../packages/client/src/cli/kit/option.ts';
import { uuid } from './option.ts';

const DEFAULT_LIMIT = 50;
const LIMIT_MAX = 1_000;

/**
 * Options of every list that is sorted by id.
 * @param what name of the listed records, in the plural
 */
export function pageOptions(what: string): { limit: Option; after: Option } {
  return {
    limit: wholeNumber('maximum number of records', what, {
      most: LIMIT_MAX,
      default: String(DEFAULT_LIMIT),
    }),
    after: uuid('id after which the page begins: `next` of the previous page'),
  };
}

export function readPage(options: Values): { limit: number; after?: readonly [string] } {
  const { after } = options;
  return {
    limit: Number(options.limit),
    ...(after !== undefined && { after: [after.toLowerCase()] as const }),
  };
}

/** Returns the id after which the next page begins; null on the last page. */
export function nextOf({ next }: { next: readonly string[] | null }): string | null {
  return next?.[0] ?? null;
}
