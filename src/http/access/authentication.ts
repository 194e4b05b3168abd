import type { ApiKey } from '../../db/schema/accounts.ts';
import { hashSecret, type PresentedKey } from '../../shared/api-key.ts';
import { equalConstantTime } from '../../shared/bytes.ts';
import type { Clock } from '../../shared/clock.ts';
import { Problem } from '../../shared/problem.ts';
import { SingleFlight } from '../../shared/single-flight.ts';
import type { RateDecision } from '../limits/gcra.ts';

/**
 * The authenticated key of a caller. A service key has no account and no wallet: its own id takes the place
 * of the account, so its idempotency keys are its own, and the wallet is empty.
 */
export type Principal = Omit<ApiKey, 'secretHash' | 'revokedAt'>;

/** Finds keys by id; null for unknown ones. */
export interface KeyStore {
  find(keyId: string): Promise<ApiKey | null>;
  /** The key as far as it is known without a look-up; undefined when it needs one. */
  cached(keyId: string): ApiKey | null | undefined;
  /** True when a look-up costs no query, or the key existed at the last look-up: its owner does not guess. */
  isExpected(keyId: string): boolean;
  /** The key as it was known within the last minute, looked up again meanwhile; undefined when it needs a look-up. */
  recent(keyId: string): ApiKey | null | undefined;
  /** Notes that the key has authenticated a request; absent where uses are not recorded. */
  noteUse?(keyId: string): void;
}

/**
 * Reasons for a refusal that a sender may learn (contract/authentication#failures): defects of the request
 * itself, and the state of a key whose secret was right. Whether a key id exists is never disclosed.
 */
const defects = {
  missing: 'The request has no `Authorization` header: send `Authorization: Bearer <key>`.',
  malformed: 'The `Authorization` header is not `Bearer <key>` with one complete API key.',
  environment: 'The API key belongs to the other environment.',
  unknown: 'The API key is unknown: it is mistyped, or belongs to another deployment.',
  revoked: 'The API key has been revoked.',
  expired: 'The API key has expired.',
} as const;
type Defect = keyof typeof defects;

function invalidKey(defect: Defect): Problem {
  return new Problem('invalid_api_key', { detail: defects[defect] });
}

/**
 * Guesses are bounded per client. A guess is taken before the look-up starts and given back when the key was
 * right: concurrent requests cannot exceed the limit.
 */
export interface GuessLimit {
  take(): RateDecision | Promise<RateDecision>;
  giveBack(): void | Promise<void>;
}

export interface AuthenticationDependencies {
  /** Reads a key of the kind that these operations accept; null for any other text. */
  parseKey(authorization: string): PresentedKey | null;
  keys: KeyStore;
  environment: 'live' | 'test';
  clock: Clock;
}

/**
 * Authenticates the `Authorization` header. Returns a promise unless the key is known and right. Throws
 * `invalid_api_key` (401) or, when this client has guessed too often, `rate_limit_exceeded` (429).
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

/** An anonymous read waits so long for the look-up of its key, then it counts as one without a key. */
const RECOGNITION_MS = 250;

/**
 * Recognises the key of an anonymous read, which no key refuses: null for a key that is not valid, and while the key store
 * does not answer. A look-up and a wrong secret take a guess, as in `authenticate`. If none is left, the key is not recognised.
 */
export function recognise(
  header: string,
  guesses: GuessLimit,
  dependencies: AuthenticationDependencies,
): Principal | null | Promise<Principal | null> {
  const { parseKey, keys, environment, clock } = dependencies;
  const presented = parseKey(header);
  if (presented === null || presented.environment !== environment) return null;
  const known = keys.recent(presented.keyId);
  if (known === undefined) return keyInTime(authenticateUnknown(presented, guesses, dependencies));
  const judged = judge(known, presented.secret, environment, clock);
  if (typeof judged !== 'string') return judged;
  const taken = guesses.take();
  return taken instanceof Promise
    ? taken.then(
        () => null,
        () => null,
      )
    : null;
}

/** The key when it is found in time; null otherwise. Never rejects. */
function keyInTime(found: Promise<Principal>): Promise<Principal | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), RECOGNITION_MS);
    const end = (key: Principal | null) => {
      clearTimeout(timer);
      resolve(key);
    };
    found.then(end, () => end(null));
  });
}

async function authenticateUnknown(
  presented: PresentedKey,
  guesses: GuessLimit,
  { keys, environment, clock }: Omit<AuthenticationDependencies, 'parseKey'>,
): Promise<Principal> {
  // Exempt: a flood of guesses from one address must not lock out owners of known keys.
  if (keys.isExpected(presented.keyId)) {
    const judged = judge(await keys.find(presented.keyId), presented.secret, environment, clock);
    return typeof judged === 'string' ? refuse(guesses, judged) : judged;
  }
  // A burst of requests with one key takes one guess: the first looks the key up, the others wait for its
  // result.
  const lookUps = paidLookUps(keys);
  const running = lookUps.running(presented.keyId);
  // A look-up that failed or was refused does not concern this client: it makes its own.
  const record = running === undefined ? undefined : await running.catch(() => undefined);
  if (record !== undefined) {
    const judged = judge(record, presented.secret, environment, clock);
    return typeof judged === 'string' ? refuse(guesses, judged) : judged;
  }
  return firstLookup(presented, guesses, { keys, environment, clock }, lookUps);
}

/** Takes a guess, looks the key up, and gives the guess back when the key was right. */
async function firstLookup(
  { keyId, secret }: { keyId: string; secret: string },
  guesses: GuessLimit,
  { keys, environment, clock }: Omit<AuthenticationDependencies, 'parseKey'>,
  lookUps: SingleFlight<ApiKey | null>,
): Promise<Principal> {
  const taken = takeGuess(guesses);
  // After a look-up that failed each client makes its own: another client's guess may be refused.
  lookUps.drop(keyId);
  const lookUp = lookUps.run(keyId, () => taken.then(() => keys.find(keyId)));
  let isGuess = false;
  try {
    const judged = judge(await lookUp, secret, environment, clock);
    if (typeof judged !== 'string') return judged;
    isGuess = true;
    throw invalidKey(judged);
  } finally {
    const wasTaken = await taken.then(
      () => true,
      () => false,
    );
    if (wasTaken && !isGuess) await guesses.giveBack();
  }
}

/** Running look-ups in each store, those that a guess has paid for. */
const lookUpsByStore = new WeakMap<KeyStore, SingleFlight<ApiKey | null>>();

function paidLookUps(keys: KeyStore): SingleFlight<ApiKey | null> {
  const lookUps = lookUpsByStore.get(keys) ?? new SingleFlight<ApiKey | null>();
  lookUpsByStore.set(keys, lookUps);
  return lookUps;
}

/** Returns the key or the reason to refuse it. A wrong secret reveals nothing about the key with its id. */
function judge(record: ApiKey | null, secret: string, environment: string, clock: Clock): ApiKey | Defect {
  const secretHash = hashSecret(secret);
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
