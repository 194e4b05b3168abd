import type { Reader } from '../../db/look-ups.ts';
import type { ApiKey } from '../../db/schema/accounts.ts';
import { BoundedMap } from '../../shared/bounded-map.ts';
import { SingleFlight } from '../../shared/single-flight.ts';

/**
 * A known key is looked up again after this time, so that a revocation reaches every process well within 5 s
 * (contract/authentication#revocation).
 */
const FRESH_MS = 3_000;
/** Only budgets of anonymous reads are counted by a key that is as old as this (contract/rate-limits#keys-on-public-reads). */
const RECENT_MS = 60_000;
const KEYS_MAX = 50_000;

interface Entry {
  row: ApiKey | null;
  loadedAtMs: number;
}

export interface KeyLookupOptions {
  nowMs(): number;
  /** Looks one key up: an API key by default. */
  findOne?(db: Reader, keyId: string): Promise<ApiKey | null>;
  /** Called with the id of each key that has authenticated a request. */
  noteUse?(keyId: string): void;
}

/**
 * Keys from Postgres with a short-lived, bounded cache; concurrent look-ups of one key are one query.
 */
export function createKeyLookup(
  db: Reader,
  { nowMs, findOne = findKey, noteUse = () => {} }: KeyLookupOptions,
) {
  const entries = new BoundedMap<string, Entry>(KEYS_MAX);
  const lookUps = new SingleFlight<ApiKey | null>();

  async function load(keyId: string): Promise<ApiKey | null> {
    const row = await findOne(db, keyId);
    entries.set(keyId, { row, loadedAtMs: nowMs() });
    return row;
  }

  return {
    cached(keyId: string): ApiKey | null | undefined {
      const entry = entries.get(keyId);
      return entry !== undefined && nowMs() - entry.loadedAtMs < FRESH_MS ? entry.row : undefined;
    },
    recent(keyId: string): ApiKey | null | undefined {
      const entry = entries.get(keyId);
      const ageMs = entry === undefined ? RECENT_MS : nowMs() - entry.loadedAtMs;
      if (entry === undefined || ageMs >= RECENT_MS) return undefined;
      // Nobody waits for this look-up, and none of its failures concerns the request.
      if (ageMs >= FRESH_MS) lookUps.run(keyId, () => load(keyId)).catch(() => undefined);
      return entry.row;
    },
    isExpected: (keyId: string): boolean =>
      lookUps.running(keyId) !== undefined || entries.get(keyId)?.row != null,
    noteUse,
    find: (keyId: string): Promise<ApiKey | null> => lookUps.run(keyId, () => load(keyId)),
  };
}

/** The server is a standby and replays its primary with a delay; `databaseFailure` knows the code. */
class ServerIsStandby extends Error {
  override readonly name = 'ServerIsStandby';
  readonly code = 'SERVER_IS_STANDBY';
}

/** The result of looking a key up: the key or nulls, and whether a standby answered. */
export type FoundKey<Key> = { isStandby: boolean } & (Key | { id: null });

/**
 * Returns the key, or null when there is none. Throws on a standby: the key may have been created or revoked
 * a moment ago (contract/authentication#revocation).
 */
export function foundKey<Key extends object>(row: FoundKey<Key> | undefined): Key | null {
  if (row === undefined) throw new Error('a look-up of a key returned no row');
  const { isStandby, ...key } = row;
  if (isStandby) throw new ServerIsStandby('a standby does not know the state of its primary');
  return 'id' in key && key.id === null ? null : (key as Key);
}

async function findKey(db: Reader, keyId: string): Promise<ApiKey | null> {
  const [row] = await db<FoundKey<ApiKey>[]>`
    select pg_is_in_recovery() as is_standby, k.id, account_id, environment, name, secret_hash, wallet_address, scopes,
      created_at, expires_at, revoked_at
    from (select ${keyId} as id) as asked left join api_keys k on k.id = asked.id`;
  return foundKey(row);
}
