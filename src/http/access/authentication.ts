import { hash } from 'node:crypto';
import type { ApiKey } from '../../db/schema/accounts.ts';
import type { PresentedKey } from '../../shared/api-key.ts';
import { equalConstantTime } from '../../shared/bytes.ts';
import type { Clock } from '../../shared/clock.ts';
import { Problem } from '../../shared/problem.ts';
import type { RateDecision } from '../limits/gcra.ts';

/**
 * Who calls: an authenticated key. A service key acts for no account and no wallet: its own id stands for the account
 * (whose idempotency keys count), and the wallet is empty.
 */
export type Principal = Omit<ApiKey, 'secretHash' | 'revokedAt'>;

/** Finds keys by id; null for unknown ones. */
export interface KeyStore {
  find(keyId: string): Promise<ApiKey | null>;
  /** What is known without a look-up; undefined when a look-up is needed. */
  cached(keyId: string): ApiKey | null | undefined;
  /** True when a look-up costs no query, or the key existed at its last one: its owner does not guess. */
  isExpected(keyId: string): boolean;
}

/**
 * What a refused credential lacks, as far as whoever sent it may know (contract/authentication#failures): what can be read
 * off the request itself, and the state of a key whose secret was right. Whether a key id exists is never said.
 */
const defects = {
  missing: 'The request has no `Authorization` header: send `Authorization: Bearer <key>`.',
  malformed: 'The `Authorization` header is not `Bearer <key>` with one complete API key.',
  environment: 'The API key is of the other environment.',
  unknown: 'The API key is unknown: it is mistyped, or of another deployment.',
  revoked: 'The API key has been revoked.',
  expired: 'The API key has expired.',
} as const;
type Defect = keyof typeof defects;

function invalidKey(defect: Defect): Problem {
  return new Problem('invalid_api_key', { detail: defects[defect] });
}

/**
 * Guesses are bounded per client. One is taken before anything is waited for and given back when it was none: however
 * many requests are concurrent, no more than the limit are looked up, or learn that a key is wrong.
 */
export interface GuessLimit {
  take(): RateDecision | Promise<RateDecision>;
  giveBack(): void | Promise<void>;
}

export interface AuthenticationDependencies {
  /** Reads the kind of key that these operations take; null for any other text. */
  parseKey(authorization: string): PresentedKey | null;
  keys: KeyStore;
  environment: 'live' | 'test';
  clock: Clock;
}

/**
 * Authenticates the `Authorization` header; a promise unless the key is known and right. Throws `invalid_api_key` (401) or, when this
 * client has guessed too often, `rate_limit_exceeded` (429).
 */
export function authenticate(
  header: string | null,
  guesses: GuessLimit,
  dependencies: AuthenticationDependencies,
): Principal | Promise<Principal> {
  const { parseKey, keys, environment, clock } = dependencies;
  if (header === null) return refuse(guesses, 'missing');
  const presented = parseKey(header);
  if (presented === null) return refuse(guesses, 'malformed');
  if (presented.environment !== environment) return refuse(guesses, 'environment');
  const cached = keys.cached(presented.keyId);
  if (cached === undefined) return authenticateUnknown(presented, guesses, dependencies);
  const judged = judge(cached, presented.secret, environment, clock);
  return typeof judged === 'string' ? refuse(guesses, judged) : judged;
}

/** The same for a key that needs a look-up. */
async function authenticateUnknown(
  presented: PresentedKey,
  guesses: GuessLimit,
  { keys, environment, clock }: Omit<AuthenticationDependencies, 'parseKey'>,
): Promise<Principal> {
  // Exempt: a flood of guesses from their address must not lock out those whose keys are known.
  if (keys.isExpected(presented.keyId)) {
    const judged = judge(await keys.find(presented.keyId), presented.secret, environment, clock);
    return typeof judged === 'string' ? refuse(guesses, judged) : judged;
  }
  // A burst of requests with one key takes one guess: the others wait for the look-up that it pays for.
  const pending = pendingLookups(keys);
  const running = pending.get(presented.keyId);
  // One that failed or was refused says nothing of this client: it then makes its own.
  const record = running === undefined ? undefined : await running.catch(() => undefined);
  if (record !== undefined) {
    const judged = judge(record, presented.secret, environment, clock);
    return typeof judged === 'string' ? refuse(guesses, judged) : judged;
  }
  return firstLookup(presented, guesses, { keys, environment, clock }, pending);
}

/** Takes a guess, looks the key up, and gives the guess back when it was none. */
async function firstLookup(
  { keyId, secret }: { keyId: string; secret: string },
  guesses: GuessLimit,
  { keys, environment, clock }: Omit<AuthenticationDependencies, 'parseKey'>,
  pending: Map<string, Promise<ApiKey | null>>,
): Promise<Principal> {
  const taken = takeGuess(guesses);
  const lookup = taken.then(() => keys.find(keyId));
  pending.set(keyId, lookup);
  let isGuess = false;
  try {
    const judged = judge(await lookup, secret, environment, clock);
    if (typeof judged !== 'string') return judged;
    isGuess = true;
    throw invalidKey(judged);
  } finally {
    if (pending.get(keyId) === lookup) pending.delete(keyId);
    const wasTaken = await taken.then(
      () => true,
      () => false,
    );
    if (wasTaken && !isGuess) await guesses.giveBack();
  }
}

const lookupsByStore = new WeakMap<KeyStore, Map<string, Promise<ApiKey | null>>>();

function pendingLookups(keys: KeyStore): Map<string, Promise<ApiKey | null>> {
  const known = lookupsByStore.get(keys);
  if (known !== undefined) return known;
  const pending = new Map<string, Promise<ApiKey | null>>();
  lookupsByStore.set(keys, pending);
  return pending;
}

/** The key, or why it is refused. A wrong secret learns nothing of the key that has its id. */
function judge(record: ApiKey | null, secret: string, environment: string, clock: Clock): ApiKey | Defect {
  const secretHash = hash('sha256', secret, 'buffer');
  if (record === null || !equalConstantTime(secretHash, record.secretHash)) return 'unknown';
  if (record.environment !== environment) return 'unknown';
  if (record.revokedAt !== null) return 'revoked';
  return record.expiresAt !== null && record.expiresAt <= clock.now() ? 'expired' : record;
}

async function refuse(guesses: GuessLimit, defect: Defect): Promise<never> {
  await takeGuess(guesses);
  throw invalidKey(defect);
}

async function takeGuess(guesses: GuessLimit): Promise<void> {
  const { allowed, retryAfterSeconds } = await guesses.take();
  if (!allowed) throw new Problem('rate_limit_exceeded', { retryAfterSeconds });
}
