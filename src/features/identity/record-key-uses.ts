import type { Database } from '../../db/client.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop } from '../../shared/loop.ts';

/** A use is recorded within this time (contract/authentication#last-use). */
const RECORD_MS = 60_000;
/** Several processes see the same key: one of them writes in this time. */
const WRITTEN_WITHIN_SECONDS = 30;
const KEYS_PER_STATEMENT = 1_000;

/**
 * When keys were last used, to the minute. Requests only note the id in memory; one statement a minute records all keys of
 * the process, whatever the number of requests. A killed process loses the uses of its last minute.
 */
export class KeyUses {
  readonly #database: Database;
  #used = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes that a key was used now; free for a request. */
  note(keyId: string): void {
    this.#used.add(keyId);
  }

  /** Records every noted use, by the clock of the database. Keys that could not be recorded are recorded later. */
  async record(): Promise<void> {
    // In one order, so that two processes do not wait for each other's rows.
    const noted = [...this.#used].toSorted();
    this.#used = new Set();
    for (let at = 0; at < noted.length; at += KEYS_PER_STATEMENT) {
      try {
        await upsertUses(this.#database, noted.slice(at, at + KEYS_PER_STATEMENT));
      } catch (error) {
        for (const keyId of noted.slice(at)) this.#used.add(keyId);
        throw error;
      }
    }
  }

  /** Records once a minute until the signal aborts. */
  run(signal: AbortSignal, log: Logger): Promise<void> {
    return runLoop({
      name: 'key-uses',
      log,
      signal,
      idleMs: RECORD_MS,
      step: async () => {
        await this.record();
        return false;
      },
    });
  }
}

async function upsertUses(db: Database, keyIds: readonly string[]): Promise<void> {
  await db`
    insert into api_key_uses (key_id, last_used_at)
    select id, now() from api_keys where id = any(${keyIds as string[]}::text[]) order by id
    on conflict (key_id) do update set last_used_at = excluded.last_used_at
      where api_key_uses.last_used_at < excluded.last_used_at - ${WRITTEN_WITHIN_SECONDS}::int4 * interval '1 second'`;
}
