import postgres from 'postgres';
import { type Database, requestedSettingsOf } from './client.ts';

/**
 * How a pool reaches Postgres: directly, through a pooler that gives each session one of its own, or through
 * one that shares sessions between transactions, with or without prepared statements.
 */
export type Pooling = 'none' | 'session' | 'transaction' | 'transaction_unprepared';

const TRIES = 3;
/** SQLSTATE of a prepared statement that this session does not have. */
const NO_SUCH_STATEMENT = '26000';

/**
 * Finds out what lies between a pool and Postgres. Costs one statement where nothing does. A pooler names
 * another process at the start of a session than the one that executes its statements. Rejects as any query
 * does.
 */
export async function findPooling(database: Database): Promise<Pooling> {
  const rows = await database<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (rows[0]?.pid === rows.state.pid) return 'none';
  const first = await database.reserve();
  try {
    const second = await database.reserve();
    try {
      return await compareSessions(first, second, requestedSettingsOf(database).pooler);
    } finally {
      second.release();
    }
  } finally {
    first.release();
  }
}

type Session = Awaited<ReturnType<Database['reserve']>>;

/**
 * While a transaction of one session holds its backend, the other session either has the backend that it had
 * before, or shares. A try proves nothing when a third session takes part at the wrong moment.
 */
async function compareSessions(first: Session, second: Session, pooler: string): Promise<Pooling> {
  const prepared = new Set<number>();
  let isShared = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = await pidOf(first);
    prepared.add(before);
    await second.unsafe('begin');
    try {
      const held = await pidOf(second);
      const isTaken = held === before;
      // With a single backend the first session would wait for the second.
      if (isTaken && pooler !== 'transaction') return 'transaction';
      const after = await pidInTransaction(first);
      if (after === 'unprepared') return 'transaction_unprepared';
      isShared ||= isTaken || after !== before;
      if (isShared && (pooler !== 'transaction' || !prepared.has(after))) return 'transaction';
      prepared.add(after);
    } finally {
      await second.unsafe('rollback');
    }
  }
  return isShared ? 'transaction' : 'session';
}

async function pidOf(session: Session): Promise<number> {
  const [row] = await session<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (row === undefined) throw new Error('a session returned no process');
  return row.pid;
}

/** In a transaction the driver cannot prepare again what the pooler has lost. */
async function pidInTransaction(session: Session): Promise<number | 'unprepared'> {
  await session.unsafe('begin');
  try {
    return await pidOf(session);
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === NO_SUCH_STATEMENT) return 'unprepared';
    throw error;
  } finally {
    await session.unsafe('rollback');
  }
}
