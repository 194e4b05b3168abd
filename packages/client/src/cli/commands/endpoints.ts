import type { Arguments, Schemas } from '../../operations.ts';
import { argumentOf, type Command, type Invocation, numberOf } from '../command.ts';
import { eventFilterOf, shortFilter } from '../event-names.ts';
import { UsageError } from '../failures.ts';

const endpoint = { name: 'endpoint', help: 'id of the endpoint', required: true };
const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const SECRET_NOTE = 'Keep the secret: it is shown this once.';
const WEEK_SECONDS = 604_800;

const forPeople = (record: Schemas['WebhookEndpoint']) => ({
  ...record,
  eventTypes: record.eventTypes.map(shortFilter),
  // An earlier service has none.
  warnings: (record.warnings ?? []).map(({ path, message }) => `${path} ${message}`),
});

/** The parts of a list with commas. */
function listOf({ options }: Invocation, name: string): string[] | undefined {
  const value = options[name];
  if (typeof value !== 'string') return undefined;
  const parts = value.split(',').map((part) => part.trim());
  if (parts.includes('')) throw new UsageError(`--${name} is a list with commas, not "${value}"`);
  return parts;
}

const changes = {
  'new-url': { kind: 'text', value: 'URL', help: 'where events are sent from now on' },
  events: {
    kind: 'text',
    value: 'LIST',
    help: 'types or prefixes as launch.*, with commas, in place of those before; * for all',
  },
  subjects: {
    kind: 'text',
    value: 'LIST',
    help: 'only events about these mints, wallets or ids, with commas; empty for all',
  },
  description: { kind: 'text', help: 'what it is for; empty for none' },
  status: { kind: 'text', choices: ['enabled', 'disabled'], help: 'whether it receives events' },
} as const satisfies Command['options'];

/** The change that the options describe. Throws a `UsageError` when they describe none. */
function changeOf(invocation: Invocation): Omit<Arguments<'updateWebhookEndpoint'>, 'endpointId'> {
  // `--url` is the address of the deployment, for every command.
  const { 'new-url': url, subjects, description, status } = invocation.options;
  const eventTypes = listOf(invocation, 'events')?.map(eventFilterOf);
  const change = {
    ...(typeof url === 'string' && { url }),
    ...(eventTypes !== undefined && { eventTypes }),
    ...(subjects !== undefined && {
      subjects: subjects === '' ? null : (listOf(invocation, 'subjects') ?? null),
    }),
    ...(typeof description === 'string' && { description: description === '' ? null : description }),
    ...((status === 'enabled' || status === 'disabled') && { status: status as 'enabled' | 'disabled' }),
  };
  if (Object.keys(change).length > 0) return change;
  const names = Object.keys(changes).map((name) => `--${name}`);
  throw new UsageError(`nothing to change: give one or more of ${names.join(', ')}`);
}

export const endpointCommands: readonly Command[] = [
  {
    name: 'endpoints list',
    summary: 'List the webhook endpoints of the account',
    arguments: [],
    options: {},
    examples: ['launchwire endpoints list'],
    async run({ client, output, signal }) {
      const { data } = await client().listWebhookEndpoints({}, { signal });
      output.table(
        data,
        ['id', 'url', 'eventTypes', 'status', 'disabledReason', 'pausedUntil', 'createdAt'],
        forPeople,
      );
    },
  },
  {
    name: 'endpoints show',
    summary: 'Show a webhook endpoint',
    arguments: [endpoint],
    options: {},
    examples: [`launchwire endpoints show ${ID}`],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const endpointId = argumentOf(invocation, 'endpoint');
      const record = await client().getWebhookEndpoint({ endpointId }, { signal });
      output.record(record, forPeople(record));
    },
  },
  {
    name: 'endpoints create',
    summary: 'Create a webhook endpoint, and print its secret, which nothing shows again',
    details: 'Every run creates another endpoint.',
    arguments: [{ name: 'url', help: 'where events are sent', required: true }],
    options: {
      events: {
        kind: 'text',
        value: 'LIST',
        help: 'types or prefixes as launch.*, with commas; all events unless given',
      },
      subjects: {
        kind: 'text',
        value: 'LIST',
        help: 'only events about these mints, wallets or ids, with commas; needed for wallet.traded and token.traded',
      },
      description: { kind: 'text', help: 'what it is for' },
    },
    examples: [
      'launchwire endpoints create https://bot.example/launchwire --events launch.*,transaction_intent.confirmed',
      'launchwire endpoints create https://other.example/failures --events webhook_endpoint.*',
    ],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const { description } = options;
      const eventTypes = listOf(invocation, 'events')?.map(eventFilterOf);
      const subjects = listOf(invocation, 'subjects');
      const created = await client().createWebhookEndpoint(
        {
          url: argumentOf(invocation, 'url'),
          ...(eventTypes !== undefined && { eventTypes }),
          ...(subjects !== undefined && { subjects }),
          ...(typeof description === 'string' && { description }),
        },
        { signal },
      );
      output.record(created, { ...forPeople(created), secret: created.secret });
      output.note(SECRET_NOTE);
    },
  },
  {
    name: 'endpoints update',
    summary: 'Change a webhook endpoint: its URL, events, subjects, description or status',
    details:
      'What no option names stays as it is. Enabling it, or a new URL, ends its pause and starts the days of failures anew.',
    arguments: [endpoint],
    options: changes,
    examples: [
      `launchwire endpoints update ${ID} --status enabled`,
      `launchwire endpoints update ${ID} --new-url https://bot.example/hook --events launch.*`,
    ],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const endpointId = argumentOf(invocation, 'endpoint');
      const record = await client().updateWebhookEndpoint(
        { endpointId, ...changeOf(invocation) },
        { signal },
      );
      output.record(record, forPeople(record));
    },
  },
  {
    name: 'endpoints rotate',
    summary: 'Give a webhook endpoint a new secret, and print it, which nothing does again',
    details: 'The old one signs beside it for a while, so that receivers can take the new one without a gap.',
    arguments: [endpoint],
    options: {
      overlap: {
        kind: 'text',
        value: 'SECONDS',
        help: `how long the old secret signs too, from 0 to ${WEEK_SECONDS}`,
        default: '86400',
      },
    },
    examples: [`launchwire endpoints rotate ${ID} --overlap 3600`],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const endpointId = argumentOf(invocation, 'endpoint');
      const previousSecretTtlSeconds = numberOf(invocation, 'overlap', 0, WEEK_SECONDS) ?? 86_400;
      output.record(await client().rotateWebhookSecret({ endpointId, previousSecretTtlSeconds }, { signal }));
      output.note(SECRET_NOTE);
    },
  },
  {
    name: 'endpoints ping',
    summary: 'Send a webhook.ping to an endpoint',
    details: 'What became of it: launchwire deliveries list <endpoint>.',
    arguments: [endpoint],
    options: {},
    examples: [`launchwire endpoints ping ${ID}`],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const endpointId = argumentOf(invocation, 'endpoint');
      output.record(await client().pingWebhookEndpoint({ endpointId }, { signal }));
    },
  },
  {
    name: 'endpoints delete',
    summary: 'Delete a webhook endpoint; nothing takes that back',
    arguments: [endpoint],
    options: {},
    examples: [`launchwire endpoints delete ${ID}`],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const endpointId = argumentOf(invocation, 'endpoint');
      output.record(await client().deleteWebhookEndpoint({ endpointId }, { signal }));
    },
  },
];
