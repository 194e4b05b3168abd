import type { Schemas } from '../../operations.ts';
import type { Command } from '../command.ts';
import { eventFilterOf, shortFilter } from '../event-names.ts';
import { UsageError } from '../kit/command.ts';
import { choice, required, text, wholeNumber } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';

const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const endpoint = { endpointId: text('id of the endpoint', { ...required, example: ID }) };
const SECRET_NOTE = 'Keep the secret: it is shown this once.';
const WEEK_SECONDS = 604_800;
const LIST = { format: 'a,b,…' };

const forPeople = (record: Schemas['WebhookEndpoint']) => ({
  ...record,
  eventTypes: record.eventTypes.map(shortFilter),
  // An earlier service has none.
  warnings: (record.warnings ?? []).map(({ path, message }) => `${path} ${message}`),
});

const readEvents = (list: string) => partsOf(list, 'events').map(eventFilterOf);
const readSubjects = (list: string) => partsOf(list, 'subjects');

/** The parts of a list with commas. */
function partsOf(list: string, option: string): string[] {
  const parts = list.split(',').map((part) => part.trim());
  if (parts.includes('')) throw new UsageError(`--${option} is a list with commas, not "${list}"`);
  return parts;
}

/** Reads an empty text as null, which clears a field. */
const orNull = (read: (text: string) => unknown) => (text: string) => (text === '' ? null : read(text));

export const endpointCommands: readonly Command[] = [
  operationCommand('endpoints list', 'listWebhookEndpoints', 'List the webhook endpoints of the account', {
    columns: 'id url eventTypes status disabledReason pausedUntil createdAt',
    forPeople,
  }),
  operationCommand('endpoints show', 'getWebhookEndpoint', 'Show a webhook endpoint', {
    arguments: endpoint,
    forPeople,
  }),
  operationCommand(
    'endpoints create',
    'createWebhookEndpoint',
    'Create a webhook endpoint, and print its secret, which nothing shows again',
    {
      details: 'Every run creates another endpoint.',
      arguments: { url: text('where events are sent', required) },
      options: {
        events: text('types or prefixes as launch.*', { ...LIST, ifUnset: 'all events' }),
        subjects: text(
          'only events about these mints, wallets or ids; needed for wallet.traded and token.traded',
          LIST,
        ),
        description: text('what it is for'),
      },
      parameters: { events: 'eventTypes' },
      read: { events: readEvents, subjects: readSubjects },
      examples: [
        'https://bot.example/launchwire --events launch.*,transaction_intent.confirmed',
        'https://other.example/failures --events webhook_endpoint.*',
      ],
      forPeople: (created) => ({ ...forPeople(created), secret: created.secret }),
      note: () => SECRET_NOTE,
    },
  ),
  operationCommand(
    'endpoints update',
    'updateWebhookEndpoint',
    'Change a webhook endpoint: its URL, events, subjects, description or status',
    {
      details:
        'What no option names stays as it is. Enabling it, or a new URL, ends its pause and starts the days of failures anew.',
      arguments: endpoint,
      // `--url` is the address of the deployment, for every command.
      options: {
        'new-url': text('where events are sent from now on', { format: 'url' }),
        events: text('types or prefixes as launch.*, in place of those before; * for all', LIST),
        subjects: text('only events about these mints, wallets or ids; empty for all', LIST),
        description: text('what it is for; empty for none'),
        status: choice('whether it receives events', ['enabled', 'disabled']),
      },
      needsOption: true,
      parameters: { 'new-url': 'url', events: 'eventTypes' },
      read: { events: readEvents, subjects: orNull(readSubjects), description: orNull((text) => text) },
      examples: [`${ID} --status enabled`, `${ID} --new-url https://bot.example/hook --events launch.*`],
      forPeople,
    },
  ),
  operationCommand(
    'endpoints rotate',
    'rotateWebhookSecret',
    'Give a webhook endpoint a new secret, and print it, which nothing does again',
    {
      details:
        'The old one signs beside it for a while, so that receivers can take the new one without a gap.',
      arguments: endpoint,
      options: {
        overlap: wholeNumber('how long the old secret signs too', 'seconds', {
          least: 0,
          most: WEEK_SECONDS,
          default: '86400',
        }),
      },
      parameters: { overlap: 'previousSecretTtlSeconds' },
      read: { overlap: Number },
      examples: [`${ID} --overlap 3600`],
      note: () => SECRET_NOTE,
    },
  ),
  operationCommand('endpoints ping', 'pingWebhookEndpoint', 'Send a webhook.ping to an endpoint', {
    details: 'What became of it: launchwire deliveries list <endpoint>.',
    arguments: endpoint,
  }),
  operationCommand(
    'endpoints delete',
    'deleteWebhookEndpoint',
    'Delete a webhook endpoint; nothing takes that back',
    {
      arguments: endpoint,
    },
  ),
];
