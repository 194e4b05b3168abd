import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { EVENT_STREAM, PUBLIC_EVENT_SUBJECT } from '../shared/bus/topology.ts';
import { isRecord } from '../shared/is-record.ts';

/** An event as the broker holds it. */
export interface PublishedEvent {
  id: string;
  type: string;
  subject: string;
  accountId: string | null;
  /** The CloudEvent, byte for byte. */
  body: string;
  publishedAt: Date;
}

export interface PublishedEvents {
  events: PublishedEvent[];
  /** False when there are more than `limit`. */
  isComplete: boolean;
}

/** Events that the broker has stored since a time, oldest first. */
export async function readPublished(
  connection: NatsConnection,
  { since, limit }: { since: Date; limit: number },
): Promise<PublishedEvents> {
  const manager = await jetstreamManager(connection);
  const { state } = await manager.streams.info(EVENT_STREAM);
  let sequence = await firstSince(manager, since, {
    low: Math.max(1, state.first_seq),
    high: state.last_seq + 1,
  });
  const events: PublishedEvent[] = [];
  while (sequence <= state.last_seq && events.length < limit) {
    const message = await getMessage(manager, sequence);
    const event = message === null ? null : toEvent(message);
    if (event !== null) events.push(event);
    sequence += 1;
  }
  return { events, isComplete: events.length < limit || sequence > state.last_seq };
}

type Message = NonNullable<Awaited<ReturnType<typeof getMessage>>>;

/** Null for a message that was deleted: the stream drops its oldest ones. */
function getMessage(manager: JetStreamManager, seq: number) {
  return manager.streams.getMessage(EVENT_STREAM, { seq });
}

async function firstSince(
  manager: JetStreamManager,
  since: Date,
  { low, high }: { low: number; high: number },
): Promise<number> {
  let [first, last] = [low, high];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    const message = await getMessage(manager, middle);
    if (message !== null && message.time >= since) last = middle;
    else first = middle + 1;
  }
  return first;
}

/** Null for a message that is no event of ours. */
function toEvent(message: Message): PublishedEvent | null {
  const body = message.string();
  const { id, type, subject } = fieldsOf(body);
  if (typeof id !== 'string' || typeof type !== 'string' || typeof subject !== 'string') return null;
  const accountId = message.subject === PUBLIC_EVENT_SUBJECT ? null : (message.subject.split('.')[2] ?? null);
  return { id, type, subject, accountId, body, publishedAt: message.time };
}

/** Returns the fields of a JSON object, and none of anything else. */
function fieldsOf(body: string): { id?: unknown; type?: unknown; subject?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
