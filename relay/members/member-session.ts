import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';

/** What a relay reads of another one. */
export interface Member {
  id: string;
  /** The relays whose places it leaves alone. */
  view: string[];
}

/** Without a beat for this long a relay counts as gone, whatever its session does. */
const SILENT_MS = 4_000;
/**
 * Without a beat for this long it counts as gone if its session has ended: two beats, of which the first on a lost session
 * stops a relay that runs after all.
 */
const SESSION_GONE_MS = 1_000;
/** Rows of relays that were killed are kept this long, for whoever looks. */
const KEPT_HOURS = 1;

type Reserved = Awaited<ReturnType<Database['reserve']>>;

/**
 * A session of the database that holds a lock in the name of a relay: the lock ends with the session, and so, at once, with the
 * process. It occupies one connection of the pool.
 */
export interface MemberSession {
  readonly sql: Reserved;
  readonly pid: number;
  /** Ends the lock and gives the connection back. */
  close(): Promise<void>;
}

/** Opens a session and takes the relay's lock, or checks that `previous` still has it. */
export async function openSession(
  pool: Database,
  id: string,
  previous: MemberSession | null,
): Promise<MemberSession> {
  if (previous !== null && (await isWhole(previous))) return previous;
  // The connection of a session that was lost has gone back to the pool by itself.
  const sql = await pool.reserve();
  const [row] = await sql<
    { pid: number }[]
  >`select pg_backend_pid() as pid, pg_advisory_lock(${lockOf(pool, id)})::text`;
  if (row === undefined) throw new Error('the session returned no row');
  return {
    sql,
    pid: row.pid,
    async close() {
      try {
        await sql`select pg_advisory_unlock(${lockOf(pool, id)})`;
      } catch {
        // Lost, and the lock with it; the connection goes back to the pool by itself.
        return;
      }
      sql.release();
    },
  };
}

async function isWhole({ sql, pid }: MemberSession): Promise<boolean> {
  try {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return row?.pid === pid;
  } catch {
    // A session that does not answer is lost, whatever the reason.
    return false;
  }
}

/**
 * Writes a beat and reads the others, in one statement. Throws when the connection has become another session: the lock ended with
 * the one before.
 */
export async function beatOn(
  { sql, pid }: MemberSession,
  id: string,
  view: readonly string[],
): Promise<Member[]> {
  const rows = await sql<(Member & { pid: number })[]>`
    with beat as (
      insert into relay_members (id, view, beat_at)
      select ${id}, ${[...view]}::uuid[], now() where ${asynchronousCommit(sql)}
      on conflict (id) do update set view = excluded.view, beat_at = excluded.beat_at
    )
    select pg_backend_pid() as pid, other.id, other.view from (values (1)) as always left join (${others(sql, id)}) as other on true`;
  if (rows[0]?.pid !== pid) throw new Error('the session of this relay was lost');
  return rows
    .filter((row) => row.id !== null)
    .map(({ id: otherId, view: known }) => ({ id: otherId, view: known }));
}

/** The relays that run beside this one. */
export async function readOthers({ sql }: MemberSession, id: string): Promise<Member[]> {
  return await sql<Member[]>`${others(sql, id)}`;
}

/** Deletes the rows of relays that were killed long ago. */
export async function forgetMembers({ sql }: MemberSession): Promise<void> {
  await sql`delete from relay_members where beat_at < now() - ${KEPT_HOURS} * interval '1 hour'`;
}

function others(sql: Reserved, id: string) {
  return sql`
    select id, view from relay_members
    where id <> ${id} and beat_at > now() - ${SILENT_MS} * interval '1 millisecond'
      -- Asked only of those that are late: nobody else can have the lock while its session lives.
      and case when beat_at > now() - ${SESSION_GONE_MS} * interval '1 millisecond' then true
        else not pg_try_advisory_xact_lock_shared(hashtextextended(relay_members.id::text, 0)) end`;
}

/** SQL: the key of a relay's lock. */
function lockOf(sql: Database, id: string) {
  return sql`hashtextextended(${id}, 0)`;
}
