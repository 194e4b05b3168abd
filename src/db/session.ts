import { type Database, requestedSettingsOf } from './client.ts';
import type { DatabaseFailure } from './failure.ts';
import type { DatabaseLimits } from './limits.ts';

export interface SessionFault {
  failure: Extract<DatabaseFailure, 'role_lost' | 'limits_lost' | 'standby' | 'read_only'>;
  /** The value found in place of the requested one; empty where the failure needs none. */
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
 * Checks the role and limits of a session and whether it can write: they are part of a connection's first
 * message, which a connection pooler may drop silently. Resolves to null when all are as requested. Rejects
 * as any query does.
 */
export async function sessionFault(database: Database): Promise<SessionFault | null> {
  const { role, limits } = requestedSettingsOf(database);
  const [session] = await database<Session[]>`
    select current_user as user, pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only') = 'on' as is_read_only,
      (extract(epoch from current_setting('statement_timeout')::interval) * 1000)::float8 as statement_ms,
      (extract(epoch from current_setting('lock_timeout')::interval) * 1000)::float8 as lock_ms,
      (extract(epoch from current_setting('idle_in_transaction_session_timeout')::interval) * 1000)::float8
        as idle_in_transaction_ms`;
  if (session === undefined) throw new Error('a session returned no settings');
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
