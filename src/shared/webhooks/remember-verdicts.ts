import { BoundedMap } from '../bounded-map.ts';

/** More than the endpoints to which a relay keeps connections. */
const REMEMBERED_MAX = 20_000;
const REMEMBERED_LENGTH_MAX = 256;

/**
 * `judge` with its verdicts of short texts remembered, by the object that holds the rules: every attempt judges the same
 * URL and the same addresses again. The verdict must depend on text and rules alone, and nobody may change it.
 */
export function rememberVerdicts<Rules extends object, Verdict>(
  judge: (text: string, rules: Rules) => Verdict,
): (text: string, rules: Rules) => Verdict {
  const verdictsOf = new WeakMap<Rules, BoundedMap<string, { verdict: Verdict }>>();
  return (text, rules) => {
    let verdicts = verdictsOf.get(rules);
    if (verdicts === undefined) {
      verdicts = new BoundedMap(REMEMBERED_MAX);
      verdictsOf.set(rules, verdicts);
    }
    const known = verdicts.get(text);
    if (known !== undefined) return known.verdict;
    const verdict = judge(text, rules);
    if (text.length <= REMEMBERED_LENGTH_MAX) verdicts.set(text, { verdict });
    return verdict;
  };
}
