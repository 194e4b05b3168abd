import { version } from '../../package.json';
import { commit } from './build-commit.json';

/**
 * Returns the commit that `git archive` wrote in place of its placeholder (.gitattributes); `unknown` in a
 * checkout, which keeps the placeholder.
 */
export function commitOf(archived: string): string {
  return /^[0-9a-f]{40,64}$/.test(archived) ? archived : 'unknown';
}

/**
 * Version and commit, for the first line of a log, `launchwire_build_info` and requests to other services.
 */
export const build = { version, commit: commitOf(commit) } as const;
