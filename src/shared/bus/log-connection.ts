import type { Logger } from '../log.ts';
import { isRefusal, type NatsConnection } from './connect.ts';
import { busFailure } from './failure.ts';

/** Distinct refusals that are logged for one connection until it reconnects. */
const REFUSALS_LOGGED_MAX = 100;

/**
 * Logs until its end what becomes of a connection: its loss and return, each with the server, and what the
 * server refuses, for example a subject: a publisher gets no error. Each refusal is logged once until the
 * connection reconnects.
 */
export async function logConnection(connection: NatsConnection, log: Logger): Promise<void> {
  const logged = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn(serverOf(connection, status.server), 'bus.disconnected');
    if (status.type === 'reconnect') {
      log.info(serverOf(connection, status.server), 'bus.reconnected');
      if (logged.size > 0) log.info('bus.accepted');
      logged.clear();
    }
    if (status.type !== 'error' || logged.size >= REFUSALS_LOGGED_MAX) continue;
    const { error } = status;
    // The server's sentence is complete; a stack adds nothing.
    const facts = isRefusal(error) ? { reason: busFailure(error), refusal: error.message } : { err: error };
    if (!logged.has(error.message)) log.error(facts, 'bus.refused');
    logged.add(error.message);
  }
}

/** The server of a connection, or the last one, for a line of the log: address, and its own name for itself. */
export function serverOf(
  { info }: Pick<NatsConnection, 'info'>,
  server: string,
): { server: string; serverName: string | null } {
  return { server, serverName: info?.server_name ?? null };
}
