import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../log.ts';
import { accessOptions, type BusAccess } from './access.ts';
import { busFailure } from './failure.ts';

export type { NatsConnection } from '@nats-io/transport-node';

const CONNECT_TIMEOUT_MS = 5_000;
/** A dead connection is closed after two or three of these; with the client's default, after minutes. */
const PING_MS = 5_000;
/** Distinct refusals that are logged for one connection until it reconnects. */
const REFUSALS_LOGGED_MAX = 100;

/**
 * Connects to NATS and keeps reconnecting for ever; rejects when the first connection fails. Replies come to
 * `_INBOX.<name>.>`, so that the server can keep users of different processes out of each other's inboxes.
 */
export async function connectBus(access: BusAccess | string, name: string): Promise<NatsConnection> {
  const connection = await connect({
    ...accessOptions(typeof access === 'string' ? { natsUrl: access } : access),
    name,
    inboxPrefix: `_INBOX.${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // While a server reloads its users, it refuses connections for a moment.
    ignoreAuthErrorAbort: true,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
  });
  void noteRefusals(connection);
  return connection;
}

const refusals = new WeakMap<NatsConnection, Error>();

/**
 * Returns the last refusal (of the login or a subject) since the server last accepted the connection; null
 * when there is none.
 */
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

/**
 * Logs what the server refuses, for example a subject: a publisher gets no error. Each refusal is logged once
 * until the connection reconnects.
 */
export async function logRefusals(connection: NatsConnection, log: Logger): Promise<void> {
  const logged = new Set<string>();
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') {
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
