import { ConfigurationError } from '../shared/configuration-error.ts';
import { createSecretBox, deriveKeys, NotOpened, type SecretKeys } from '../shared/secret-box.ts';
import { openWebhookSecret } from '../shared/webhooks/secret.ts';
import { advisoryLocks } from './advisory-lock.ts';
import type { Database, Queryable, Transaction } from './client.ts';

/** A process's use of its keys: the api seals under the first and opens with all, the relay only opens. */
export type SecretKeyUse = 'seal' | 'open';

/** A key of a started process (src/db/schema/secret-keys.ts). */
export interface KnownKey {
  /** Hexadecimal. */
  keyCheck: string;
  isSealing: boolean;
  isKnownToRelay: boolean;
}

const UNKNOWN =
  'SECRET_KEY differs from that of the other processes: secrets are sealed under a key that is neither SECRET_KEY nor in SECRET_KEY_PREVIOUS; give this process the same keys, or add that key to SECRET_KEY_PREVIOUS';
const TOO_EARLY =
  'SECRET_KEY is a key that the relay does not have yet: start every process with it in SECRET_KEY_PREVIOUS first, see "Rotating SECRET_KEY" in docs/operations/configuration.md';
const OPENS_NOTHING =
  'SECRET_KEY opens none of the stored webhook secrets: give this process the key that they are sealed under, or add it to SECRET_KEY_PREVIOUS';

/**
 * Returns why a process with these keys may not run beside the others, as an action for the operator; null
 * when it may. Every sealing key must be one of its own, and it must seal under a key that the relay was
 * started with: otherwise some secrets could not be opened.
 *
 * @param own `keyCheck` of the process's keys, that of `SECRET_KEY` first
 */
export function secretKeyRefusal(
  known: readonly KnownKey[],
  own: readonly string[],
  use: SecretKeyUse,
): string | null {
  if (known.length === 0) return null;
  const shared = known.filter(({ keyCheck }) => own.includes(keyCheck));
  if (shared.length === 0 || known.some((key) => key.isSealing && !shared.includes(key))) return UNKNOWN;
  if (use === 'open') return null;
  const sealing = known.find(({ keyCheck }) => keyCheck === own[0]);
  const isRelayKnown = known.some(({ isKnownToRelay }) => isKnownToRelay);
  return sealing === undefined || (isRelayKnown && !sealing.isKnownToRelay) ? TOO_EARLY : null;
}

/** As `secretKeyRefusal`, for the keys in the database. Changes nothing. */
export async function checkSecretKeys(
  database: Queryable,
  keys: SecretKeys,
  use: SecretKeyUse,
): Promise<string | null> {
  return secretKeyRefusal(await readKnownKeys(database), keyChecks(keys), use);
}

/**
 * Enters the keys of a starting process. Throws ConfigurationError, and enters nothing, when it may not run
 * beside the others. When two processes with different keys start on an empty database, one is refused: the
 * lock lets one after the other.
 */
export async function requireSecretKeys(
  database: Database,
  keys: SecretKeys,
  use: SecretKeyUse,
): Promise<void> {
  const refusal = await database.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLocks.secretKeys})`;
    const known = await readKnownKeys(transaction);
    const own = keyChecks(keys);
    // A database from before this list has none: its secrets show which keys are in use.
    const opening = known.length === 0 ? await openingKeys(transaction, keys) : [];
    if (opening === null) return OPENS_NOTHING;
    const refused = secretKeyRefusal(known, own, use);
    if (refused !== null) return refused;
    const isOpening = (at: number) => opening[at] === true;
    for (const [at, keyCheck] of own.entries())
      await enterKey(transaction, keyCheck, use, isOpening(at) || (use === 'seal' && at === 0));
    return null;
  });
  if (refusal !== null) throw new ConfigurationError([refusal]);
}

/**
 * Removes all keys but these: nothing is sealed under another one, or such secrets count as lost. The first
 * seals from now on.
 */
export async function keepSecretKeys(database: Database, keys: SecretKeys): Promise<void> {
  const own = keyChecks(keys);
  await database.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLocks.secretKeys})`;
    await transaction`delete from secret_keys where encode(key_check, 'hex') <> all (${own})`;
    await transaction`
      insert into secret_keys (key_check, is_sealing, is_known_to_relay) values (${bytes(own[0] ?? '')}, true, false)
      on conflict (key_check) do update set is_sealing = true`;
  });
}

async function enterKey(
  transaction: Transaction,
  keyCheck: string,
  use: SecretKeyUse,
  isSealing: boolean,
): Promise<void> {
  const isRelay = use === 'open';
  // The api may not write which keys the relay knows.
  await transaction`
    insert into secret_keys (key_check, is_sealing, is_known_to_relay) values (${bytes(keyCheck)}, ${isSealing}, ${isRelay})
    on conflict (key_check) do update set is_sealing = secret_keys.is_sealing or excluded.is_sealing
      ${isRelay ? transaction`, is_known_to_relay = true` : transaction``}`;
}

async function readKnownKeys(database: Queryable): Promise<KnownKey[]> {
  return await database<KnownKey[]>`
    select encode(key_check, 'hex') as key_check, is_sealing, is_known_to_relay from secret_keys`;
}

const PURPOSE = 'launchwire/secret-key-check';

function keyChecks(keys: SecretKeys): string[] {
  return deriveKeys(keys, PURPOSE).map((derived) => Buffer.from(derived).toString('hex'));
}

function bytes(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal, 'hex');
}

/** The newest ones: a wrong key opens none of them, one in the middle of a rotation some. */
const SAMPLE = 20;

/**
 * Finds the keys that open any of the newest secrets of enabled endpoints; null when there are secrets and no
 * key opens one.
 */
async function openingKeys(
  transaction: Transaction,
  { secretKey, secretKeyPrevious }: SecretKeys,
): Promise<boolean[] | null> {
  const rows = await transaction<{ id: string; sealedSecret: Uint8Array }[]>`
    select id, sealed_secret from webhook_endpoints
    where deleted_at is null and status = 'enabled' and octet_length(sealed_secret) > 0
    order by id desc limit ${SAMPLE}`;
  if (rows.length === 0) return [];
  const opening = [secretKey, ...secretKeyPrevious].map((key) => {
    const box = createSecretBox(key);
    return rows.some(({ id, sealedSecret }) => opens(box, id, sealedSecret));
  });
  return opening.includes(true) ? opening : null;
}

function opens(box: ReturnType<typeof createSecretBox>, endpointId: string, sealed: Uint8Array): boolean {
  try {
    openWebhookSecret(box, endpointId, sealed);
    return true;
  } catch (error) {
    if (error instanceof NotOpened) return false;
    throw error;
  }
}
