import type { Arguments } from '../../operations.ts';
import { argumentOf, type Command, type Invocation, numberOf } from '../command.ts';
import { eventFilterOf, shortEventName } from '../event-names.ts';
import { eventLine, eventsOf } from '../live-events.ts';
import { take } from '../take.ts';
import { timeOf } from '../time.ts';

export const eventCommands: readonly Command[] = [
  {
    name: 'events list',
    summary: 'List events that were recorded, oldest first: public ones and those of the account',
    arguments: [],
    options: {
      since: {
        kind: 'text',
        value: 'TIME',
        help: 'from this time on, RFC 3339; from the oldest unless given',
      },
      type: { kind: 'text', value: 'TYPE', help: 'a type, a prefix as launch.*, or *' },
      subject: { kind: 'text', value: 'ID', help: 'what they are about, for example a mint' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 10000', default: '50' },
    },
    examples: ['launchwire events list --since 2026-11-20T10:00:00Z --type launch.*'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const events = client().listEvents.all(filtersOf(invocation), { signal });
      const rows = await take(events, numberOf(invocation, 'limit', 1, 10_000) ?? 50);
      output.table(rows, ['id', 'type', 'subject', 'recordedAt'], (event) => ({
        ...event,
        type: shortEventName(event.type),
      }));
    },
  },
  {
    name: 'events show',
    summary: 'Show an event by its id: the webhook-id of a request, the eventId of a delivery',
    arguments: [{ name: 'id', help: 'id of the event', required: true }],
    options: {},
    examples: ['launchwire events show 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const event = await client().getEvent({ eventId: argumentOf(invocation, 'id') }, { signal });
      output.record(event, { ...event, type: shortEventName(event.type) });
    },
  },
  {
    name: 'events follow',
    summary: 'Print events as they happen: public ones, and with a key those of its account',
    details:
      'Runs until Ctrl-C. Lost connections are continued where they broke. With --json a line holds a whole event.',
    arguments: [],
    options: {
      cursor: {
        kind: 'text',
        value: 'CURSOR',
        help: 'continue after this cursor of a stream, up to 15 minutes old',
      },
    },
    examples: ['launchwire events follow', 'launchwire events follow --json | jq .type'],
    async run(invocation) {
      const { output } = invocation;
      for await (const event of eventsOf(invocation)) output.line(event, eventLine(event));
    },
  },
];

function filtersOf(invocation: Invocation): NonNullable<Arguments<'listEvents'>> {
  const { type, subject } = invocation.options;
  const createdAfter = timeOf(invocation, 'since');
  return {
    ...(typeof type === 'string' && { type: eventFilterOf(type) }),
    ...(typeof subject === 'string' && { subject }),
    ...(createdAfter !== undefined && { createdAfter }),
  };
}
