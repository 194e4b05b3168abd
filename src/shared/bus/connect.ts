import { connect, type NatsConnection } from '@nats-io/transport-node';
import { accessOptions, type BusAccess } from './access.ts';
import { splitAddresses } from './addresses.ts';
import { busFailure } from './failure.ts';
import { ServerChoice } from './server-choice.ts';

export type { NatsConnection } from '@nats-io/transport-node';

const CONNECT_TIMEOUT_MS = 5_000;
/** Limit for one of several servers: another one is probably there. */
const CONNECT_TIMEOUT_EACH_MS = 2_000;
/** A dead connection is closed after two or three of these; with the client's default, after minutes. */
const PING_MS = 5_000;

/**
 * Connects to one of the servers, in random order, and keeps reconnecting for ever, to whichever is there,
 * also to nodes of the cluster that the address list does not name. Rejects when no server accepts the first
 * connection. Replies come to `_INBOX.<name>.>`, so that the server can keep users of different processes out
 * of each other's inboxes.
 */
export async function connectBus(access: BusAccess | string, name: string): Promise<NatsConnection> {
  const full = typeof access === 'string' ? { natsUrls: splitAddresses(access) } : access;
  const options = accessOptions(full);
  const choice = new ServerChoice();
  const connection = await connect({
    ...options,
    name,
    inboxPrefix: `_INBOX.${name}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    reconnectToServer: choice.choose,
    // While a server reloads its users, it refuses connections for a moment.
    ignoreAuthErrorAbort: true,
    timeout: options.servers.length > 1 ? CONNECT_TIMEOUT_EACH_MS : CONNECT_TIMEOUT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
  });
  made.set(connection, { access: full, name });
  void noteRefusals(connection);
  void noteServers(connection, choice);
  return connection;
}

const made = new WeakMap<NatsConnection, { access: BusAccess; name: string }>();

/** With how many replicas the process of this connection makes streams. */
export function streamReplicasOf(connection: NatsConnection): number {
  return made.get(connection)?.access.natsStreamReplicas ?? 1;
}

/** Opens another connection with the addresses, login and name of this one. */
export function connectBeside(connection: NatsConnection): Promise<NatsConnection> {
  const how = made.get(connection);
  if (how === undefined) throw new Error('the connection was not made by connectBus');
  return connectBus(how.access, how.name);
}

async function noteServers(connection: NatsConnection, choice: ServerChoice): Promise<void> {
  choice.connectedTo(connection.getServer());
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') choice.connectedTo(status.server);
    if (status.type !== 'reconnect' && status.type !== 'disconnect') continue;
    for (const listener of listenersOf(connection)[status.type]) listener();
  }
}

type Listeners = Record<'disconnect' | 'reconnect', Set<() => void>>;
const listeners = new WeakMap<NatsConnection, Listeners>();

function listenersOf(connection: NatsConnection): Listeners {
  const known = listeners.get(connection) ?? { disconnect: new Set(), reconnect: new Set() };
  listeners.set(connection, known);
  return known;
}

/** Calls the listener after each reconnect: hints may have been missed. Returns the function that ends it. */
export function onReconnect(connection: NatsConnection, listener: () => void): () => void {
  const { reconnect } = listenersOf(connection);
  reconnect.add(listener);
  return () => void reconnect.delete(listener);
}

/**
 * Waits for requests, each to its end or until the connection is lost: the client would wait for their
 * timeouts, although no answer can come any more.
 */
export async function settleWhileConnected<Value>(
  connection: NatsConnection,
  requests: readonly Promise<Value>[],
): Promise<PromiseSettledResult<Value>[]> {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const onLost = () => lost.reject(new Error('the connection to the broker was lost'));
  const { disconnect } = listenersOf(connection);
  disconnect.add(onLost);
  try {
    return await Promise.allSettled(requests.map((request) => Promise.race([request, lost.promise])));
  } finally {
    disconnect.delete(onLost);
  }
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

/** Whether the server refuses login or subject. */
export function isRefusal(error: Error): boolean {
  const failure = busFailure(error);
  return failure === 'login_refused' || failure === 'right_missing';
}
