import { Problem } from '../../shared/problem.ts';
import { requireScopes } from '../../shared/require-scopes.ts';
import { scopeOf, type Topic } from './topics.ts';

/**
 * Throws `invalid_api_key` for topics of an account without a key, and `insufficient_scope` for a key without
 * their scope.
 */
export function requireAccess(topics: readonly Topic[], holder: { scopes: readonly string[] } | null): void {
  const needed = [...new Set(topics.flatMap((topic) => scopeOf(topic) ?? []))];
  if (needed.length === 0) return;
  if (holder === null)
    throw new Problem('invalid_api_key', { detail: 'Topics of an account need an API key.' });
  requireScopes(holder.scopes, needed);
}
