import { createHash } from 'node:crypto';
import type { ApiKey, Scope } from '../db/schema/accounts.ts';
import { equalConstantTime } from '../shared/bytes.ts';
import type { Clock } from '../shared/clock.ts';
import { Problem } from '../shared/problem.ts';
import { parseApiKey } from './api-key.ts';

/** Who calls: an authenticated key. */
export type Principal = Omit<ApiKey, 'secretHash' | 'revokedAt'>;

/** Finds keys by id; null for unknown ones. */
export interface KeyStore {
  find(keyId: string): Promise<ApiKey | null>;
  /** What is known without a look-up; undefined when a look-up is needed. */
  cached(keyId: string): ApiKey | null | undefined;
  /** True when the key existed at its last look-up: its owner is no guesser. */
  isKnown(keyId: string): boolean;
}

/** Guesses are bounded per client: asked before a look-up, told after a failure. */
export interface GuessLimit {
  mayLookUp(): boolean | Promise<boolean>;
  failed(): Promise<void> | void;
}

export interface AuthenticatorOptions {
  keys: KeyStore;
  environment: 'live' | 'test';
  clock: Clock;
}

/**
 * Authenticates the `Authorization` header. Throws `invalid_api_key` (401) or, when this client has guessed too often,
 * `rate_limit_exceeded` (429).
 */
export async function authenticate(
  header: string | null,
  guesses: GuessLimit,
  { keys, environment, clock }: AuthenticatorOptions,
): Promise<Principal> {
  const presented = header === null ? null : parseApiKey(header);
  if (presented === null || presented.environment !== environment) return refuse(guesses);
  let record = keys.cached(presented.keyId);
  if (record === undefined) {
    // Known keys are exempt: a flood of guesses from their address must not lock them out.
    if (!keys.isKnown(presented.keyId)) await requireBudget(guesses);
    record = await keys.find(presented.keyId);
  }
  const hash = createHash('sha256').update(presented.secret).digest();
  if (
    record === null ||
    !equalConstantTime(hash, record.secretHash) ||
    !isActive(record, environment, clock)
  ) {
    return refuse(guesses);
  }
  return record;
}

function isActive(record: ApiKey, environment: string, clock: Clock): boolean {
  const now = clock.now();
  return (
    record.environment === environment &&
    record.revokedAt === null &&
    (record.expiresAt === null || record.expiresAt > now)
  );
}

/** Throws `insufficient_scope` (403) unless every needed scope is held. */
export function requireScopes(held: readonly string[], needed: readonly Scope[]): void {
  const missing = needed.filter((scope) => !held.includes(scope));
  if (missing.length > 0) {
    throw new Problem('insufficient_scope', { context: { requiredScopes: needed, missingScopes: missing } });
  }
}

async function refuse(guesses: GuessLimit): Promise<never> {
  await requireBudget(guesses);
  await guesses.failed();
  throw new Problem('invalid_api_key');
}

async function requireBudget(guesses: GuessLimit): Promise<void> {
  if (!(await guesses.mayLookUp())) throw new Problem('rate_limit_exceeded', { retryAfterSeconds: 1 });
}
