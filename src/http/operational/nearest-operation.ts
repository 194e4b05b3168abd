import { editDistance } from '../../shared/nearest.ts';
import type { RouteDefinition } from '../route.ts';
import type { KnownPath } from './unmatched.ts';

/** A longer path, or part of one, is nobody's misspelling: strangers pay for no comparison of it. */
const PATH_LENGTH_MAX = 512;
const PART_LENGTH_MAX = 24;
/** A path that differs in more than one part, or in one that only resembles, is another path. */
const DIFFERENCE_MAX = 0.45;
/** Less than any difference of a part: a path without the method gives way only to an equally near one. */
const WRONG_METHOD = 0.01;

/** The operation of the path that was probably meant (contract/requests#nearest-path); undefined when none is near. */
export type NearestOperation = (path: string, method: string) => RouteDefinition | undefined;

/** Compares only paths of the same number of parts, and each pair of parts once. */
export function nearestOperation(knownPaths: readonly KnownPath[], prefix: string): NearestOperation {
  const prefixParts = prefix.split('/');
  const byCount = Map.groupBy(
    knownPaths.map(({ segments, definitions }) => ({
      parts: segments.slice(prefixParts.length),
      definitions,
    })),
    ({ parts }) => parts.length,
  );
  return (path, method) => {
    if (path.length > PATH_LENGTH_MAX) return undefined;
    const given = path.split('/').filter((part) => part !== '');
    // Without the prefix, or with that of another version.
    while (given[0] !== undefined && (prefixParts.includes(given[0]) || /^v\d+$/.test(given[0])))
      given.shift();
    const known = new Map<string, number>();
    let best: { definition: RouteDefinition | undefined; difference: number } | undefined;
    for (const { parts, definitions } of byCount.get(given.length) ?? []) {
      const wanted = definitions.find((one) => one.method === (method === 'HEAD' ? 'GET' : method));
      const difference = differenceOf(given, parts, known) + (wanted === undefined ? WRONG_METHOD : 0);
      if (difference > DIFFERENCE_MAX + WRONG_METHOD || (best && best.difference <= difference)) continue;
      best = { definition: wanted ?? definitions[0], difference };
    }
    return best?.definition;
  };
}

/** Adds up the differences of parts that are no parameters. */
function differenceOf(
  given: readonly string[],
  parts: readonly string[],
  known: Map<string, number>,
): number {
  let sum = 0;
  for (const [at, part] of parts.entries()) {
    const text = given[at] ?? '';
    if (part.startsWith(':') || text === part) continue;
    const pair = `${text}/${part}`;
    const difference = known.get(pair) ?? partDifference(text, part);
    known.set(pair, difference);
    sum += difference;
    if (sum > DIFFERENCE_MAX) break;
  }
  return sum;
}

/** 0 for equal parts, up to 1: the share of letters that differ, less where one begins the other, or two words begin alike. */
function partDifference(given: string, part: string): number {
  if (given.length > PART_LENGTH_MAX) return 1;
  const text = given.toLowerCase();
  const share = editDistance(text, part) / Math.max(text.length, part.length);
  if (text.length > 2 && (part.startsWith(text) || text.startsWith(part))) return Math.min(share, 0.3);
  const begun = new Set(beginningsOf(text));
  return beginningsOf(part).some((beginning) => begun.has(beginning)) ? Math.min(share, 0.4) : share;
}

/** The first four letters of each word that has them. */
function beginningsOf(text: string): string[] {
  return text.split(/[-_]/).flatMap((word) => (word.length < 4 ? [] : [word.slice(0, 4)]));
}
