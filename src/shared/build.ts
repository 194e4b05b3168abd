import { version } from '../../package.json';
import { commit } from './build-commit.json';

/** The commit that `git archive` wrote in place of its placeholder (.gitattributes); `unknown` in a checkout, which has none. */
export function commitOf(archived: string): string {
  return /^[0-9a-f]{40,64}$/.test(archived) ? archived : 'unknown';
}

/** What runs here, for the first line of a log, `launchwire_build_info` and requests to others. */
export const build = { version, commit: commitOf(commit) } as const;
