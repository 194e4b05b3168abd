import { askedSettingsOf, type Database } from './client.ts';
import type { DatabaseFailure } from './failure.ts';
import type { DatabaseLimits } from './limits.ts';

export interface SessionFault {
  failure: Extract<DatabaseFailure, 'role_lost' | 'limits_lost' | 'standby' | 'read_only'>;
  /** What is there instead of what was asked for; empty where the failure says all. */
  detail: string;
}

interface Session {
  user: string;
  isStandby: boolean;
  isReadOnly: boolean;
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

const LIMITS = [
  ['statementMs', 'statement_timeout'],
  ['lockMs', 'lock_timeout'],
  ['idleInTransactionMs', 'idle_in_transaction_session_timeout'],
] as const satisfies readonly (readonly [keyof DatabaseLimits, string])[];

/**
 * Asks a session who it works as, under which limits, and whether it can write: all of it is asked for in the first message of a
 * connection, and a connection pooler may drop it in silence. Null when it is as asked for. Rejects as any query does.
 */
export async function sessionFault(database: Database): Promise<SessionFault | null> {
  const { role, limits } = askedSettingsOf(database);
  const [session] = await database<Session[]>`
    select current_user as user, pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only') = 'on' as is_read_only,
      (extract(epoch from current_setting('statement_timeout')::interval) * 1000)::float8 as statement_ms,
      (extract(epoch from current_setting('lock_timeout')::interval) * 1000)::float8 as lock_ms,
      (extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) * 1000)::float8
        as idle_in_transaction_ms`;
  if (session === undefined) throw new Error('a session says nothing of itself');
  if (role !== undefined && session.user !== role)
    return { failure: 'role_lost', detail: `${session.user} instead of ${role}` };
  const lost = LIMITS.filter(([key]) => session[key] !== limits[key]);
  if (lost.length > 0) {
    const list = lost.map(([key, name]) => `${name} of ${session[key]} ms instead of ${limits[key]} ms`);
    return { failure: 'limits_lost', detail: list.join(', ') };
  }
  if (session.isStandby) return { failure: 'standby', detail: '' };
  return session.isReadOnly ? { failure: 'read_only', detail: '' } : null;
}
