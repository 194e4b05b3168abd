import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../log.ts';
import { accessOptions, type BusAccess } from './access.ts';
import { busFailure } from './failure.ts';

export type { NatsConnection } from '@nats-io/transport-node';

const CONNECT_TIMEOUT_MS = 5_000;
/** A connection that carries nothing any more is left after two or three of these; by the client's default, after minutes. */
const PING_MS = 5_000;
/** Distinct refusals that are logged of one connection until it reconnects. */
const REFUSALS_LOGGED_MAX = 100;

/**
 * Connects to NATS and keeps reconnecting for ever; rejects when the first connection fails. Answers come to
 * `_INBOX.<name>.>`, so that the server can keep the users of different processes out of each other's.
 */
export async function connectBus(access: BusAccess | string, name: string): Promise<NatsConnection> {
  const connection = await connect({
    ...accessOptions(typeof access === 'string' ? { natsUrl: access } : access),
    name,
    inboxPrefix: `_INBOX.${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // While a server is given other users, connections are refused for a moment: they come back.
    ignoreAuthErrorAbort: true,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
  });
  void noteRefusals(connection);
  return connection;
}

const refusals = new WeakMap<NatsConnection, Error>();

/** What the server has refused since it accepted the connection last: the login, or a subject. Null when nothing. */
export function refusalOf(connection: NatsConnection): Error | null {
  return refusals.get(connection) ?? null;
}

async function noteRefusals(connection: NatsConnection): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') refusals.delete(connection);
    if (status.type === 'error' && isRefusal(status.error)) refusals.set(connection, status.error);
  }
}

function isRefusal(error: Error): boolean {
  const failure = busFailure(error);
  return failure === 'login_refused' || failure === 'right_missing';
}

/** Logs what the server refuses to this connection, a subject for example: a publisher gets no error. Each once until it reconnects. */
export async function logRefusals(connection: NatsConnection, log: Logger): Promise<void> {
  const logged = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') {
      if (logged.size > 0) log.info('bus.accepted');
      logged.clear();
    }
    if (status.type !== 'error' || logged.size >= REFUSALS_LOGGED_MAX) continue;
    const { error } = status;
    // The server's sentence says everything, and a stack nothing.
    const facts = isRefusal(error) ? { reason: busFailure(error), refusal: error.message } : { err: error };
    if (!logged.has(error.message)) log.error(facts, 'bus.refused');
    logged.add(error.message);
  }
}
