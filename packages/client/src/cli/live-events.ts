import type { WebhookEvent } from '../webhooks/events.ts';
import { defined, type Invocation } from './command.ts';
import { shortEventName } from './event-names.ts';

/** Prints public events and those of the account of the key, and notes gaps. Ends with Ctrl-C. */
export async function* eventsOf({
  client,
  output,
  signal,
  options,
}: Invocation): AsyncGenerator<WebhookEvent, void, undefined> {
  const { cursor } = options;
  const parameters = { topics: ['events'], ...defined({ cursor }) };
  try {
    for await (const message of client().stream(parameters, { signal, heartbeats: true })) {
      if (message.event === 'event') yield message.data;
      if (message.event === 'gap')
        output.note(`events are missing (${message.reason}): read ${message.reads.join(', ')}`);
      if (message.event === 'ready')
        output.note(message.resumed ? 'connected again' : 'connected; waiting for events');
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** One line for people: time of day, short type, subject. */
export function eventLine({ time, type, subject }: WebhookEvent): string {
  return `${time.slice(11, 19)}  ${shortEventName(type).padEnd(30)}  ${subject}`;
}
