import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';

export type { NatsConnection } from '@nats-io/transport-node';

/** Connects to NATS and keeps reconnecting for ever; rejects when the first connection fails. */
export function connectBus(url: string, name: string): Promise<NatsConnection> {
  return connect({
    servers: url,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    timeout: 5_000,
  });
}

/** True when JetStream answers within the client's timeout. */
export async function isBusReady(connection: NatsConnection): Promise<boolean> {
  if (connection.isClosed()) return false;
  try {
    const manager = await jetstreamManager(connection);
    await manager.getAccountInfo();
    return true;
  } catch {
    return false;
  }
}
