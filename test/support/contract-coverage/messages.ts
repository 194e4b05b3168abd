import type { TSchema } from '@sinclair/typebox';
import { documentedEvents } from '../../../src/documentation/events/documented-events.ts';
import { controlMessages, topicMessages } from '../../../src/documentation/streams/stream-messages.ts';
import { eventName } from '../../../src/shared/events/catalogue.ts';
import { type DescribedValue, recordFields } from './fields.ts';

/** Records in events and messages without a name of their own. */
const recordNames: ReadonlyMap<string, string> = new Map([
  ['transaction_intent', 'TransactionIntent'],
  ['intent', 'TransactionIntent'],
  ['webhook_endpoint', 'WebhookEndpoint'],
]);

/** The data of events, by name. */
const eventContents = new Map<string, DescribedValue>(
  Object.entries(documentedEvents).map(([name, { schema }]) => [
    name,
    { name: recordNames.get(name.slice(0, name.indexOf('.'))) ?? `event:${name}`, schema },
  ]),
);

/** What messages of a stream carry, by `event`. */
const messageContents = new Map<string, DescribedValue>([
  ...Object.entries(topicMessages).map(([event, { properties }]): [string, DescribedValue] => {
    const { data: schema } = properties as { data: TSchema };
    return [event, { name: recordNames.get(event) ?? `message:${event}`, schema }];
  }),
  ...Object.entries(controlMessages).map(([event, schema]): [string, DescribedValue] => [
    event,
    { name: `message:${event}`, schema },
  ]),
]);

export const describedMessages: readonly DescribedValue[] = [
  ...eventContents.values(),
  ...messageContents.values(),
];

/** Records the fields of a message of a stream that a test has read. */
export function recordMessage(message: { event: string; data?: unknown }): void {
  const content = messageContents.get(message.event);
  if (content !== undefined) recordFields(content, () => message.data ?? message);
  if (message.event === 'event') recordEvent(message.data as PublishedEvent);
}

/** Records the fields of an event that a test has received or read. */
export function recordEvent({ type, data }: PublishedEvent): void {
  // Tests of delivery send bodies that are no events.
  const content = eventContents.get(eventName(String(type)) ?? '');
  if (content !== undefined) recordFields(content, () => data);
}

interface PublishedEvent {
  type: string;
  data: unknown;
}
