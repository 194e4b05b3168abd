import { eventCatalogue, eventName } from '../shared/events/catalogue.ts';
import { type Command, CommandRefused, need, needUuid, parseJsonOption, UsageError } from './command.ts';

const eventPublish: Command = {
  group: 'event',
  verb: 'publish',
  summary: 'Send an event of the catalogue to its audience; prints its id',
  options: {
    type: { description: 'full type, e.g. build.service.launch.created.v1', required: true },
    subject: { description: 'what the event is about', required: true },
    data: { description: 'JSON', required: true },
    account: { description: 'owner, for account events' },
  },
  async run({ database, outbox }, options) {
    const name = eventName(need(options, 'type'));
    if (name === null) throw new UsageError(`--type ${options.type} is not in the event catalogue`);
    const isPublic = eventCatalogue[name].audience === 'public';
    if (isPublic !== (options.account === undefined)) {
      throw new UsageError(
        isPublic ? `${name} is public: no --account` : `${name} belongs to an account: --account`,
      );
    }
    const accountId = isPublic ? null : needUuid(options, 'account');
    const data = parseJsonOption('data', need(options, 'data'));
    const subject = need(options, 'subject');
    const eventId = await database.begin(async (transaction) => {
      if (
        accountId !== null &&
        (await transaction`select from accounts where id = ${accountId}`).count === 0
      ) {
        throw new CommandRefused(`account ${accountId} does not exist`);
      }
      return outbox.append(transaction, { name, subject, accountId, data });
    });
    return { eventId };
  },
};

export const eventCommands = [eventPublish];
