import { afterCommit } from '../db/after-commit.ts';
import type { Transaction } from '../db/client.ts';
import { accountEventsAdded, hints, type SentHint } from '../shared/bus/topology.ts';
import type { Clock } from '../shared/clock.ts';
import { type EventName, eventCatalogue, eventType } from '../shared/events/catalogue.ts';
import { timedId } from '../shared/timed-id.ts';
import { eventTraceparent, type Tracing } from '../shared/tracing/tracing.ts';
import { createEventSerialiser, type EventOrigin } from './envelope.ts';
import { type ComposedEvent, insertEvent } from './event-rows.ts';

export interface NewEvent {
  name: EventName;
  subject: string;
  /** Owner of an account fact; null for public facts. */
  accountId: string | null;
  data: unknown;
  /** When it happened; now by default. */
  time?: Date;
  /** Its place in time for endpoints, where it became known later than it happened; `time` by default. */
  knownAt?: Date;
  /** Only this endpoint gets the event (`webhook.ping`). */
  onlyEndpointId?: string;
  /**
   * W3C trace context of the cause, when the cause was in another process; by default the one of this
   * process.
   */
  traceparent?: string | null;
}

export interface Outbox {
  /** Serialises an event without storing it. */
  compose(event: NewEvent): ComposedEvent;
  /**
   * Adds an event to the caller's transaction: it is sent if and only if the fact commits, and a hint is sent
   * after the commit. Returns the event id.
   */
  append(transaction: Transaction, event: NewEvent): Promise<string>;
  /** Sends the hint of a composed event whose own statement has committed. */
  hint(event: Pick<ComposedEvent, 'accountId'>): void;
  /** W3C trace context of the current work, for jobs that continue it; null without tracing. */
  traceparent(): string | null;
}

export interface OutboxOptions {
  /** Tracing of this process: events then carry the trace of the work that appends them, or begin one. */
  tracing?: Tracing | undefined;
  /**
   * Wakes the readers of events (`hints.outbox`). If unset, they find new events at their next poll: the
   * relay may not send hints, and the internal API and the commands have no bus.
   */
  sendHint?(hint: SentHint): void;
}

export function createOutbox(
  origin: EventOrigin,
  clock: Clock,
  { tracing, sendHint }: OutboxOptions = {},
): Outbox {
  const serialise = createEventSerialiser(origin);
  const hintOf = (accountId: string | null) => (accountId === null ? hints.outbox : accountEventsAdded);

  function compose({
    name,
    subject,
    accountId,
    data,
    time,
    knownAt,
    onlyEndpointId,
    traceparent: cause = null,
  }: NewEvent): ComposedEvent {
    if ((eventCatalogue[name].audience === 'account') === (accountId === null)) {
      throw new Error(`event ${name} has the wrong audience`);
    }
    const now = clock.now();
    const [id, happenedAt] = [timedId(now), time ?? now];
    const createdAt = knownAt ?? happenedAt;
    const body = serialise({ id, name, subject, time: happenedAt, data });
    const type = eventType(name);
    const traceparent = cause ?? (tracing === undefined ? null : eventTraceparent(tracing, type));
    return {
      id,
      type,
      subject,
      accountId,
      onlyEndpointId: onlyEndpointId ?? null,
      body,
      createdAt,
      traceparent,
    };
  }

  return {
    compose,
    traceparent: () => tracing?.current() ?? null,
    async append(transaction, event) {
      const composed = compose(event);
      await insertEvent(transaction, composed);
      if (sendHint !== undefined) {
        const hint = hintOf(composed.accountId);
        afterCommit(transaction, hint === hints.outbox ? 'public event' : 'account event', () =>
          sendHint(hint),
        );
      }
      return composed.id;
    },
    hint: ({ accountId }) => sendHint?.(hintOf(accountId)),
  };
}
