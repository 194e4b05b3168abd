import { Problem } from './problem.ts';

/**
 * Throws `insufficient_scope` (403) with the missing scopes unless every needed scope is held.
 *
 * @param detail names what needs them, when it is not the operation
 */
export function requireScopes(held: readonly string[], needed: readonly string[], detail?: string): void {
  const missing = needed.filter((scope) => !held.includes(scope));
  if (missing.length === 0) return;
  const context = { requiredScopes: needed, missingScopes: missing };
  throw new Problem('insufficient_scope', { context, ...(detail !== undefined && { detail }) });
}
