import type { ISql } from 'postgres';
import type { Database, Transaction } from '../../../src/db/client.ts';
import { eventually } from '../run/eventually.ts';

export interface BlockedSession {
  pid: number;
  /** The statement that waits. */
  query: string;
}

/** Locks of an open transaction. */
export interface HeldLocks {
  blocked(): Promise<BlockedSession[]>;
  untilBlocked(what: string, query?: RegExp): Promise<BlockedSession[]>;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

/**
 * Sessions that wait for a lock of this session. A look at all sessions that wait would also find those that
 * wait for each other, such as processes that start. Of several sessions that wait for a row, the first waits
 * for the holder, and the others wait for the first: they are not here.
 */
export async function sessionsBlockedBy(holder: ISql): Promise<BlockedSession[]> {
  // A transaction reads the activity of sessions once, unless it forgets what it has read.
  await holder`select pg_stat_clear_snapshot()`;
  return await holder<BlockedSession[]>`
    select pid, query from pg_stat_activity
    where pid in (select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)))`;
}

/** Waits until a session with such a statement is blocked by this one, and returns those that are. */
export function untilBlockedBy(holder: ISql, what: string, query = /./): Promise<BlockedSession[]> {
  return eventually(what, async () => {
    const sessions = (await sessionsBlockedBy(holder)).filter((session) => query.test(session.query));
    return sessions.length > 0 && sessions;
  });
}

/** Whether the server has ended these sessions. What they had begun is then committed or undone. */
export async function haveSessionsEnded(sql: ISql, sessions: readonly BlockedSession[]): Promise<boolean> {
  const pids = sessions.map(({ pid }) => pid);
  const { count } = await sql`select from pg_stat_activity where pid = any(${pids}::int[])`;
  return count === 0;
}

export async function untilSessionsEnded(sql: ISql, sessions: readonly BlockedSession[]): Promise<void> {
  await eventually('the sessions have ended', () => haveSessionsEnded(sql, sessions));
}

/** Ends the sessions of a killed process. Otherwise the server may still carry out its last statements. */
export async function endSessionsOf(sql: ISql, applicationName: string): Promise<void> {
  const sessions = await sql<BlockedSession[]>`
    select pid, query from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${applicationName})`;
  await endSessions(sql, sessions);
}

/** Ends these sessions, with their transactions. */
export async function endSessions(sql: ISql, sessions: readonly BlockedSession[]): Promise<void> {
  const pids = sessions.map(({ pid }) => pid);
  await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`;
  await untilSessionsEnded(sql, sessions);
}

/** Takes locks, and keeps them until their transaction is told to end. */
export async function holdLocks(
  database: Database,
  take: (transaction: Transaction) => Promise<unknown>,
): Promise<HeldLocks> {
  const held = Promise.withResolvers<Transaction>();
  const end = Promise.withResolvers<void>();
  const rolledBack = new Error('rolled back');
  const holding = database.begin(async (transaction) => {
    await take(transaction);
    held.resolve(transaction);
    await end.promise;
  });
  holding.catch(held.reject);
  const holder = await held.promise;
  return {
    blocked: () => sessionsBlockedBy(holder),
    untilBlocked: (what, query) => untilBlockedBy(holder, what, query),
    async commit() {
      end.resolve();
      await holding;
    },
    async rollBack() {
      end.reject(rolledBack);
      await holding.catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
    },
  };
}
