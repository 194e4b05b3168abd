import type { Command } from '../command.ts';
import { eventFilterOf, shortEventName } from '../event-names.ts';
import { required, text } from '../kit/option.ts';
import { eventLine, eventsOf } from '../live-events.ts';
import { operationCommand } from '../operation-command.ts';
import { readTime, time } from '../time.ts';

export const eventCommands: readonly Command[] = [
  operationCommand(
    'events list',
    'listEvents',
    'List events that were recorded, oldest first: public ones and those of the account',
    {
      options: {
        since: time('from this time on', { ifUnset: 'from the oldest' }),
        type: text('a type, a prefix as launch.*, or *', { format: 'type' }),
        subject: text('what they are about, for example a mint', { format: 'id' }),
      },
      parameters: { since: 'createdAfter' },
      read: { since: readTime, type: eventFilterOf },
      limit: { default: 50, most: 10_000 },
      examples: ['--since 2026-11-20T10:00:00Z --type launch.*'],
      columns: 'id type subject recordedAt',
      forPeople: (event) => ({ ...event, type: shortEventName(event.type) }),
    },
  ),
  operationCommand(
    'events show',
    'getEvent',
    'Show an event by its id: the webhook-id of a request, the eventId of a delivery',
    {
      arguments: {
        eventId: text('id of the event', { ...required, example: '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e' }),
      },
      forPeople: (event) => ({ ...event, type: shortEventName(event.type) }),
    },
  ),
  {
    name: 'events follow',
    summary: 'Print events as they happen: public ones, and with a key those of its account',
    details:
      'Runs until Ctrl-C. Lost connections are continued where they broke. With --json a line holds a whole event.',
    options: {
      cursor: text('continue after this cursor of a stream, up to 15 minutes old', { format: 'cursor' }),
    },
    examples: ['', '--json | jq .type'],
    async run(invocation) {
      const { output } = invocation;
      for await (const event of eventsOf(invocation)) output.line(event, eventLine(event));
    },
  },
];
