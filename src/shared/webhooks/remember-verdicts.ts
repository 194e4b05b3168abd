import { rememberTexts } from '../remember-texts.ts';

/** More than the endpoints to which a relay keeps connections. */
export const REMEMBERED_URLS = { entriesMax: 20_000, lengthMax: 256 };

/**
 * `judge` with its verdicts of short texts remembered, by the object that holds the rules: every attempt judges the same
 * URL and the same addresses again. The verdict must depend on text and rules alone, and nobody may change it.
 */
export function rememberVerdicts<Rules extends object, Verdict extends string | object | null>(
  judge: (text: string, rules: Rules) => Verdict,
): (text: string, rules: Rules) => Verdict {
  const judges = new WeakMap<Rules, (text: string) => Verdict>();
  return (text, rules) => {
    let remembering = judges.get(rules);
    if (remembering === undefined) {
      remembering = rememberTexts((one: string) => judge(one, rules), REMEMBERED_URLS);
      judges.set(rules, remembering);
    }
    return remembering(text);
  };
}
