import type { NatsConnection } from '@nats-io/transport-node';
import type { SentHint } from './topology.ts';

/** Sends hints over a connection; one that is lost costs at most a poll interval. */
export function hintSender(connection: NatsConnection): (hint: SentHint) => void {
  return (sent) => {
    const { hint, payload } = typeof sent === 'string' ? { hint: sent, payload: '' } : sent;
    connection.publish(hint, payload);
  };
}
