import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import { isLockTimeout } from '../../src/db/lock-timeout.ts';

export interface Member {
  id: string;
  /** Relays whose permits it does not use. */
  view: string[];
}

/** A relay without a beat for this long counts as gone, whatever its session does. */
const SILENT_MS = 4_000;
/**
 * A relay whose session has ended counts as gone after this time without a beat. These are two beats: at the first one
 * a relay that still runs, but has lost its session, stops by itself.
 */
const SESSION_GONE_MS = 1_000;
/** Rows of killed relays are kept this long for inspection. */
const KEPT_HOURS = 1;

type Reserved = Awaited<ReturnType<Database['reserve']>>;

/**
 * A database session with a lock that stands for a relay. The lock ends with the session, and so with the process. The
 * session is the only connection of its own pool, so that it can be closed at any moment.
 */
export interface MemberSession {
  readonly sql: Reserved;
  readonly pid: number;
  /** Ends the connection, and with it the lock; never rejects. */
  close(): Promise<void>;
}

/** The server has not noticed yet that the session before, which has the lock, was closed. */
class MemberLockHeld extends Error {
  override readonly name = 'MemberLockHeld';
}

/**
 * Opens a session and takes the relay's lock. The session before ends at the server a moment after it was closed, so
 * this waits for the lock as long as the pool allows (`databaseLimits.member`), and then throws MemberLockHeld. Nothing
 * stays open after an error.
 *
 * @param connect makes a pool of one connection
 */
export async function openSession(connect: () => Database, id: string): Promise<MemberSession> {
  const pool = connect();
  // Closes at once, even in the middle of a statement.
  const close = () => pool.end({ timeout: 0 });
  try {
    const sql = await pool.reserve();
    const [row] = await sql<
      { pid: number }[]
    >`select pg_backend_pid() as pid, pg_advisory_lock(${lockOf(sql, id)})::text`;
    if (row === undefined) throw new Error('the session returned no row');
    return { sql, pid: row.pid, close };
  } catch (error) {
    await close();
    if (!isLockTimeout(error)) throw error;
    throw new MemberLockHeld('another session holds the lock of this relay', { cause: error });
  }
}

/**
 * Writes a beat and reads the other relays, in one statement. Throws if the connection is another session now, because
 * the lock ended with the session before.
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
    .map(({ id: otherId, view: otherView }) => ({ id: otherId, view: otherView }));
}

/** The other relays that run. */
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
      -- Only for relays that are late. While the session of such a relay lives, nobody else can have its lock.
      and case when beat_at > now() - ${SESSION_GONE_MS} * interval '1 millisecond' then true
        else not pg_try_advisory_xact_lock_shared(hashtextextended(relay_members.id::text, 0)) end`;
}

/** SQL: the key of a relay's lock. */
function lockOf(sql: Database, id: string) {
  return sql`hashtextextended(${id}, 0)`;
}
