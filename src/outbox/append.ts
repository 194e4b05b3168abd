import type { Transaction } from '../db/client.ts';
import type { Clock } from '../shared/clock.ts';
import { type EventName, eventCatalogue, eventType } from '../shared/events/catalogue.ts';
import { type EventOrigin, serialiseEvent } from './envelope.ts';

export interface NewEvent {
  name: EventName;
  subject: string;
  /** Owner of an account fact; null for public facts. */
  accountId: string | null;
  data: unknown;
  /** Restricts delivery to this endpoint (`webhook.ping`). */
  onlyEndpointId?: string;
}

export interface Outbox {
  /**
   * Adds an event to the caller's transaction: it is sent if and only if the fact commits. Returns the event
   * id. After the commit, `hints.outbox` makes the publisher look at once instead of at its next poll.
   */
  append(transaction: Transaction, event: NewEvent): Promise<string>;
}

export function createOutbox(origin: EventOrigin, clock: Clock): Outbox {
  return {
    async append(transaction, { name, subject, accountId, data, onlyEndpointId }) {
      if ((eventCatalogue[name].audience === 'public') !== (accountId === null)) {
        throw new Error(`event ${name} has the wrong audience`);
      }
      const id = Bun.randomUUIDv7();
      const time = clock.now();
      const body = serialiseEvent(origin, { id, name, subject, time, data });
      await transaction`
        insert into events (id, type, subject, account_id, only_endpoint_id, body, created_at)
        values (${id}, ${eventType(name)}, ${subject}, ${accountId}, ${onlyEndpointId ?? null}, ${body}, ${time})`;
      return id;
    },
  };
}
