import { deliveryStatuses } from '../db/values/webhooks.ts';
import { findAnyDelivery, findAttemptDetails } from '../features/webhooks/deliveries/find-any-delivery.ts';
import { attemptsOf } from '../features/webhooks/deliveries/list-attempts.ts';
import { listDeliveries } from '../features/webhooks/deliveries/list-deliveries.ts';
import { toDelivery } from '../features/webhooks/deliveries/record.ts';
import { findEndpointCondition } from '../features/webhooks/deliveries/recover-deliveries.ts';
import { replayDelivery } from '../features/webhooks/deliveries/replay-delivery.ts';
import { type Command, CommandRefused, needUuid } from './command.ts';
import { deliveryReplay } from './delivery-replay-command.ts';
import { choice, required, uuid } from './option.ts';
import { nextOf, pageOptions, readPage } from './page-options.ts';

/** Ten replays of ten attempts and the first ten: several times the largest possible number. */
const ATTEMPTS_MAX = 1_000;

const deliveryList: Command = {
  group: 'delivery',
  verb: 'list',
  summary: 'Lists the deliveries of an endpoint, newest first',
  options: {
    endpoint: uuid('the endpoint, which may be deleted', required),
    status: choice('only those in this status', deliveryStatuses),
    ...pageOptions('deliveries'),
  },
  example: '--endpoint 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --status dead_letter',
  async run({ database }, options) {
    const endpointId = needUuid(options, 'endpoint');
    if ((await findEndpointCondition(database, endpointId)) === null)
      throw new CommandRefused(`endpoint ${endpointId} does not exist`);
    const status = deliveryStatuses.find((one) => one === options.status);
    const page = await listDeliveries(database, endpointId, { status, ...readPage(options) });
    const deliveries = page.items.map(({ endpointId: _, updatedAt: __, ...shown }) => shown);
    return { endpointId, deliveries, next: nextOf(page) };
  },
};

const deliveryShow: Command = {
  group: 'delivery',
  verb: 'show',
  summary: 'Shows a delivery of any account with all its attempts, newest first, and why each failed',
  options: { id: uuid('the delivery', required) },
  example: '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  async run({ database }, options) {
    const id = needUuid(options, 'id');
    const delivery = await findAnyDelivery(database, id);
    if (delivery === null) throw new CommandRefused(`delivery ${id} does not exist`);
    const [page, details] = await Promise.all([
      attemptsOf(database, id, { limit: ATTEMPTS_MAX }),
      findAttemptDetails(database, id),
    ]);
    const attempts = page.items.map((attempt) => ({
      ...attempt,
      errorDetail: details.get(attempt.attemptNumber) ?? null,
    }));
    return { ...delivery, attempts };
  },
};

const deliveryRetry: Command = {
  group: 'delivery',
  verb: 'retry',
  summary: 'Sends a finished delivery of any account again, with the whole schedule; at most 10 times each',
  options: { id: uuid('the delivery: succeeded or dead_letter', required) },
  example: '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  async run({ database }, options) {
    const id = needUuid(options, 'id');
    const delivery = await findAnyDelivery(database, id);
    if (delivery === null) throw new CommandRefused(`delivery ${id} does not exist`);
    const { accountId, endpointId } = delivery;
    const endpoint = await findEndpointCondition(database, endpointId);
    if (endpoint?.condition !== 'enabled')
      throw new CommandRefused(`endpoint ${endpointId} is ${endpoint?.condition}: it gets no deliveries`);
    const row = await database.begin((transaction) =>
      replayDelivery(transaction, id, { accountId, scopes: null }),
    );
    return { ...toDelivery(row) };
  },
};

export const deliveryCommands = [deliveryList, deliveryShow, deliveryRetry, deliveryReplay];
