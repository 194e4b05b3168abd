import type { Database } from '../../../db/client.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { Topic } from '../topics.ts';

/** Longer than the log is kept: a returning stream finds the changes of its absence. */
const FOLLOWED = '30 minutes';
/** An account that is followed for at least this long needs no lock: writers know of it. */
const FOLLOWED_LEAST = '10 minutes';
/** Interval at which accounts with open streams are renewed. */
const RENEW_MS = 60_000;

/** The account whose deliveries these topics follow; null when they do not. */
export function followedAccount(reader: StreamReader, topics: readonly Topic[]): string | null {
  return topics.some(({ kind }) => kind === 'deliveries') ? (reader.owner?.accountId ?? null) : null;
}

/**
 * Records in the database which accounts follow their deliveries. The log holds no other deliveries, because
 * there are far more deliveries than readers (decisions/0033).
 */
export class FollowedDeliveries {
  readonly #db: Database;
  readonly #nowMs: () => number;
  #renewedAtMs = 0;

  constructor(db: Database, nowMs: () => number = () => performance.now()) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /**
   * From its return on, the log holds every delivery of the account whose transaction ends later. Waits for
   * transactions that may not have seen the new row.
   */
  async follow(accountId: string): Promise<void> {
    if (await this.#prolong([accountId])) return;
    await this.#db.begin(async (transaction) => {
      // Writers of deliveries hold it together while they look at the followers (drizzle/functions/log_deliveries.sql).
      await transaction`select pg_advisory_xact_lock(7201962, 0)`;
      await transaction`
        insert into stream_followers (account_id, until) values (${accountId}, now() + ${FOLLOWED}::interval)
        on conflict (account_id) do update set until = excluded.until`;
    });
  }

  /** Keeps accounts with open streams followed. It writes once a minute, however often it is called. */
  async keep(accountIds: () => ReadonlySet<string>): Promise<void> {
    if (this.#nowMs() - this.#renewedAtMs < RENEW_MS) return;
    this.#renewedAtMs = this.#nowMs();
    const followed = [...accountIds()];
    if (followed.length > 0) await this.#prolong(followed);
  }

  /** True when all of the accounts were followed already. */
  async #prolong(accountIds: readonly string[]): Promise<boolean> {
    const rows = await this.#db`
      update stream_followers set until = now() + ${FOLLOWED}::interval
      where account_id = any(${accountIds as string[]}::uuid[]) and until > now() + ${FOLLOWED_LEAST}::interval
      returning 1`;
    return rows.length === accountIds.length;
  }
}
