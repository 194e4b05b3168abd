import { asynchronousCommit } from '../../src/db/async-commit.ts';
import type { Database } from '../../src/db/client.ts';
import { isLockTimeout } from '../../src/db/lock-timeout.ts';

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
 * process. It is the one connection of a pool of its own, so that it can be closed whatever it is in the middle of.
 */
export interface MemberSession {
  readonly sql: Reserved;
  readonly pid: number;
  /** Ends the connection, and with it the lock; never rejects. */
  close(): Promise<void>;
}

/** The lock of a relay is still held by a session that this process has closed: the server has not noticed yet. */
class MemberLockHeld extends Error {
  override readonly name = 'MemberLockHeld';
}

/**
 * Opens a session and takes the relay's lock, for which it waits as long as the pool allows (`databaseLimits.member`): the session before
 * ends at the server a moment after it was closed. Throws MemberLockHeld when it does not; nothing stays open then.
 *
 * @param connect makes a pool of one connection
 */
export async function openSession(connect: () => Database, id: string): Promise<MemberSession> {
  const pool = connect();
  // At once, whatever it is in the middle of.
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
