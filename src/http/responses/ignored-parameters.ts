import { meantName } from '../../shared/known-names.ts';
import { boundedName } from '../bodies/field-error-text.ts';
import { unknownNames } from '../bodies/validation.ts';
import { rememberQueries } from '../remember-queries.ts';
import type { RouteDefinition } from '../route.ts';

/** The header that names the query parameters which an operation ignored (contract/requests#ignored). */
export const IGNORED_HEADER = 'Launchwire-Ignored';

const NAMES_MAX = 8;
const LENGTH_MAX = 1_024;
const NOTHING = '';

/**
 * The value of the header for a request of the operation, or an empty text when it ignored nothing; null for an
 * operation that refuses unknown parameters. It depends on the query alone, never on what a cache holds.
 */
export function ignoredParameters({
  query,
  refusesUnknownQuery,
}: RouteDefinition): ((request: Request) => string) | null {
  if (refusesUnknownQuery === true) return null;
  const known = Object.keys(query?.properties ?? {});
  return rememberQueries((text) => listOf(unknownNames(text, known, NAMES_MAX), known));
}

/** A List of RFC 9651: each name as Token or String, with the parameter `nearest` where a known name is near. */
function listOf(names: readonly string[], known: readonly string[]): string {
  let list = NOTHING;
  for (const name of names) {
    const nearest = meantName(name, known);
    const item = nearest === undefined ? itemOf(name) : `${itemOf(name)}; nearest=${quoted(nearest)}`;
    const longer = list === NOTHING ? item : `${list}, ${item}`;
    if (longer.length > LENGTH_MAX) break;
    list = longer;
  }
  return list;
}

const TOKEN = /^[A-Za-z*][\w!#$&'*+.^`|~:/-]*$/;

/** Strangers write these names: what is not printable ASCII, and `%`, is percent-encoded. */
function itemOf(name: string): string {
  const text = boundedName(name).replace(/[^\x20-\x24\x26-\x7e]/gu, encodeURIComponent);
  return TOKEN.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
