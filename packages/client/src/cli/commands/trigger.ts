import { sampleEvents } from '../../generated/sample-events.ts';
import type { EventType, WebhookEvent } from '../../webhooks/events.ts';
import { type Command, CommandFailed } from '../command.ts';
import { eventTypeOf, shortEventName, shortEventNames } from '../event-names.ts';
import { forward, forwardAddress, forwarding, signingSecret } from '../forward.ts';
import { need, needArgument } from '../kit/command.ts';
import { required, text } from '../kit/option.ts';

export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'Send a sample event to a local address, signed as a delivery',
  details: `Nothing is sent to the API. Types: ${shortEventNames.join(', ')}.`,
  arguments: { type: text('for example transaction_intent.confirmed', required) },
  options: forwarding,
  examples: ['transaction_intent.confirmed --forward http://127.0.0.1:8000/webhooks'],
  async run({ output, signal, settings, options, arguments: values }) {
    const url = forwardAddress(need(options, 'forward'));
    const event = sampleEvent(eventTypeOf(needArgument(values, 'type')));
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
