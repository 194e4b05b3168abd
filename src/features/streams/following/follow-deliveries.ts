import type { Database } from '../../../db/client.ts';
import type { StreamReader } from '../readers/reader.ts';
import type { Topic } from '../topics.ts';

/** Longer than the log is kept: a stream that comes back finds what happened while it was away. */
const FOLLOWED = '30 minutes';
/** What is followed at least as long needs no lock: writers have known it for long. */
const FOLLOWED_LEAST = '10 minutes';
/** Between two renewals of accounts whose streams are open. */
const RENEW_MS = 60_000;

/** The account whose deliveries these topics follow; null when they do not. */
export function followedAccount(reader: StreamReader, topics: readonly Topic[]): string | null {
  return topics.some(({ kind }) => kind === 'deliveries') ? (reader.owner?.accountId ?? null) : null;
}

/**
 * Says in the database whose deliveries are followed: the log holds no others, because there are far more deliveries than
 * readers of them (decisions/0033).
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
   * Every delivery of the account whose transaction ends after this is in the log. Waits for transactions that may not
   * have known it.
   */
  async follow(accountId: string): Promise<void> {
    if (await this.#prolong([accountId])) return;
    await this.#db.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(7201962, 0)`;
      await transaction`
        insert into stream_followers (account_id, until) values (${accountId}, now() + ${FOLLOWED}::interval)
        on conflict (account_id) do update set until = excluded.until`;
    });
  }

  /** Keeps accounts followed whose streams are open; asks for them once a minute, however often it is called. */
  async keep(accountIds: () => ReadonlySet<string>): Promise<void> {
    if (this.#nowMs() - this.#renewedAtMs < RENEW_MS) return;
    this.#renewedAtMs = this.#nowMs();
    const followed = [...accountIds()];
    if (followed.length > 0) await this.#prolong(followed);
  }

  /** True when all of them were followed. */
  async #prolong(accountIds: readonly string[]): Promise<boolean> {
    const rows = await this.#db`
      update stream_followers set until = now() + ${FOLLOWED}::interval
      where account_id = any(${accountIds as string[]}::uuid[]) and until > now() + ${FOLLOWED_LEAST}::interval
      returning 1`;
    return rows.length === accountIds.length;
  }
}
