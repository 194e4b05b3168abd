import { editDistance, nearest } from './nearest.ts';

/**
 * Names of one meaning: REST, streams and the habits of other APIs call the same filter differently. Read in both
 * directions, wherever a name is not known (contract/requests#nearest-names).
 */
const synonyms: readonly (readonly string[])[] = [
  ['traderWallet', 'wallet', 'trader'],
  ['minSolAmount', 'minSol'],
  ['type', 'side'],
  ['query', 'q', 'search'],
  ['sort', 'orderBy', 'sortBy'],
  ['limit', 'count', 'pageSize', 'perPage'],
  ['cursor', 'after', 'page', 'offset'],
  ['from', 'since', 'start'],
  ['to', 'until', 'end'],
  ['createdAfter', 'since', 'from'],
  ['createdBefore', 'until', 'to'],
  ['mints', 'mint', 'tokens'],
  ['eventTypes', 'events'],
  ['eventType', 'type', 'event'],
];

/** A name that differs in more letters, or in more than half of them, is no misspelling. */
const TYPOS_MAX = 3;

/** The known name that was meant: one of the same meaning, or a similar one; undefined when there is none. */
export function meantName(name: string, known: readonly string[]): string | undefined {
  const same = synonyms.flatMap((group) => (group.includes(name) ? group : []));
  const synonym = same.find((one) => known.includes(one));
  if (synonym !== undefined) return synonym;
  // A difference in length is a lower bound of the edit distance: long names are not compared.
  const alike = known.filter((one) => Math.abs(one.length - name.length) <= TYPOS_MAX);
  const best = nearest(name, alike);
  if (best === undefined) return undefined;
  const typosMax = Math.min(TYPOS_MAX, Math.max(name.length, best.length) / 2);
  return editDistance(name, best) <= typosMax ? best : undefined;
}

/** `; did you mean …?` with the known name that was meant, or nothing when there is none. */
export function suggestedName(name: string, known: readonly string[]): string {
  const meant = meantName(name, known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}
