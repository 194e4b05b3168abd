import { sampleEvents } from '../../generated/sample-events.ts';
import type { EventType, WebhookEvent } from '../../webhooks/events.ts';
import { argumentOf, type Command, textOf } from '../command.ts';
import { eventTypeOf, shortEventName, shortEventNames } from '../event-names.ts';
import { CommandFailed } from '../failures.ts';
import { forward, forwardAddress, forwardOption, signingSecret } from '../forward.ts';

export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'Send a sample event to a local address, signed as a delivery',
  details: `Nothing is sent to the API. Types: ${shortEventNames.join(', ')}.`,
  arguments: [{ name: 'type', help: 'for example transaction_intent.confirmed', required: true }],
  options: { forward: forwardOption },
  examples: ['launchwire trigger transaction_intent.confirmed --forward http://127.0.0.1:8000/webhooks'],
  async run(invocation) {
    const { output, signal, settings } = invocation;
    const url = forwardAddress(textOf(invocation, 'forward'));
    const event = sampleEvent(eventTypeOf(argumentOf(invocation, 'type')));
    const secret = signingSecret(settings);
    if (settings.webhookSecret === undefined) output.note(`signed with ${secret}`);
    const { status, durationMs } = await forward(url, secret, event, signal);
    const sent = { eventId: event.id, type: event.type, status, durationMs };
    output.record(sent, { ...sent, type: shortEventName(event.type) });
    if (status < 200 || status > 299) throw new CommandFailed(`the receiver answered ${status}`);
  },
};

/** A new event with a new id, so that a receiver which deduplicates accepts it. */
function sampleEvent(type: EventType): WebhookEvent {
  const { subject, data } = sampleEvents[type];
  return {
    specversion: '1.0',
    id: crypto.randomUUID(),
    source: 'launchwire-trigger',
    type,
    subject,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    dataschema: `https://launchwire.example/docs/reference/events/${type}`,
    data,
  } as WebhookEvent;
}
