import { Value } from '@sinclair/typebox/value';
import { need, UsageError } from '../../packages/client/src/cli/kit/command.ts';
import { choice, type Option, required, text } from '../../packages/client/src/cli/kit/option.ts';
import { documentedEvents } from '../documentation/events/documented-events.ts';
import { accountExists } from '../features/identity/list-accounts.ts';
import {
  type EventName,
  eventCatalogue,
  eventName,
  eventNames,
  eventType,
} from '../shared/events/catalogue.ts';
import { schemaMistakes } from '../shared/schema-mistakes.ts';
import { type Command, CommandRefused, needUuid } from './command.ts';
import { json, uuid } from './option.ts';

/** A full type or its short name; an unknown one gets the most similar name as a suggestion. */
const fullType = choice('which event', eventNames.map(eventType), required);
const shortName = choice('which event', eventNames, required);
const typeOption: Option = {
  ...shortName,
  format: 'event',
  check: (value) =>
    nameOf(value) === undefined ? ((isFull(value) ? fullType : shortName).check?.(value) ?? null) : null,
};

const isFull = (type: string) => type.startsWith('build.service.');

function nameOf(type: string): EventName | undefined {
  return eventName(type) ?? eventNames.find((name) => name === type);
}

const eventPublish: Command = {
  name: 'event publish',
  summary: 'Sends an event of the catalogue to its audience; its data must match the schema of the type',
  options: {
    type: typeOption,
    subject: text('subject of the event: a mint, or the id of a record', required),
    data: json('data of the event: docs/contract/events.md has the schema of each type', required),
    account: uuid('owner of the event; only for account events, and required there'),
  },
  examples: [
    '--type webhook.ping --account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --subject ' +
      '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1f --data \'{"endpointId":"0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1f"}\'',
  ],
  async run({ database, outbox }, options) {
    const name = nameOf(need(options, 'type'));
    if (name === undefined) throw new UsageError(`--type ${options.type} is not in the event catalogue`);
    const isPublic = eventCatalogue[name].audience !== 'account';
    if (isPublic !== (options.account === undefined)) {
      throw new UsageError(
        isPublic ? `${name} is public: no --account` : `${name} belongs to an account: --account is required`,
      );
    }
    const accountId = isPublic ? null : needUuid(options, 'account');
    const data: unknown = JSON.parse(need(options, 'data'));
    requireFit(name, data);
    const subject = need(options, 'subject');
    const eventId = await database.begin(async (transaction) => {
      if (accountId !== null && !(await accountExists(transaction, accountId)))
        throw new CommandRefused(`account ${accountId} does not exist`);
      return outbox.append(transaction, { name, subject, accountId, data });
    });
    return { eventId };
  },
};

export const eventCommands = [eventPublish];

/** Subscribers rely on the schema, whatever the sender. */
function requireFit(name: EventName, data: unknown): void {
  const schema = documentedEvents[name].schema;
  if (Value.Check(schema, data)) return;
  throw new UsageError(
    `--data does not match the schema of ${name}: ${schemaMistakes(Value.Errors(schema, data))}`,
  );
}
