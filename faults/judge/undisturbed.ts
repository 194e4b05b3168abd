import type { Evidence } from '../evidence/evidence.ts';

/**
 * Where nothing was broken, no answer says that something is not available, and no transaction lands after the
 * `expiresAt` of its intent. A walk without faults tries the product at another pace of the chain.
 */
export function nothingIsMissing({ wasDisturbed, histories, database }: Evidence): string[] {
  if (wasDisturbed) return [];
  const refused = histories.requests
    .filter(({ status }) => status === 503)
    .map(({ method, path, code }) => `${method} ${path} was 503 ${code}`);
  const late = database.intents
    .filter(({ landedLate }) => landedLate)
    .map(({ id }) => `intent ${id} landed after its expiresAt`);
  return [...refused, ...late];
}
