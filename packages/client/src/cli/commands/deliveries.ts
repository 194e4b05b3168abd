import type { Schemas } from '../../operations.ts';
import { type Command, defined } from '../command.ts';
import { shortEventName } from '../event-names.ts';
import { choice, required, text } from '../kit/option.ts';
import { limitOption, operationCommand, take } from '../operation-command.ts';
import { deliveryRecovery } from './delivery-recovery.ts';

const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const delivery = { deliveryId: text('id of the delivery', { ...required, example: ID }) };
const STATUSES = ['pending', 'processing', 'succeeded', 'retrying', 'dead_letter'] as const;
const COLUMNS = ['id', 'eventType', 'status', 'attemptCount', 'lastErrorCode', 'createdAt'];
/** A delivery has ten attempts, and ten more for each of ten replays. */
const ATTEMPTS_MAX = 200;
type Delivery = Schemas['WebhookDelivery'];

const forPeople = (record: Delivery) => ({ ...record, eventType: shortEventName(record.eventType) });

/** The request with which an attempt failed: a redirect may have led it away from the endpoint. */
function hopOf({ failedHop }: Schemas['WebhookAttempt']): string | null {
  if (failedHop === null || failedHop === undefined) return null;
  return failedHop.redirect === 0 ? failedHop.origin : `${failedHop.origin} (redirect ${failedHop.redirect})`;
}

export const deliveryCommands: readonly Command[] = [
  {
    name: 'deliveries list',
    summary: 'List the deliveries of an endpoint, or of all endpoints, newest first',
    details: 'Those of an endpoint that was deleted are listed by its id alone.',
    arguments: { endpoint: text('id of the endpoint', { ifUnset: 'all endpoints of the account' }) },
    options: {
      status: choice('only those with this status', STATUSES),
      limit: {
        ...limitOption({ default: 20, most: 1_000 }),
        help: 'how many of each endpoint',
      },
    },
    examples: ['--status dead_letter'],
    async run({ client, output, signal, options, arguments: { endpoint } }) {
      const endpoints =
        endpoint === undefined
          ? (await client().listWebhookEndpoints({}, { signal })).data.map(({ id }) => id)
          : [endpoint];
      const filter = defined({ status: STATUSES.find((one) => one === options.status) });
      const rows: Delivery[] = [];
      for (const endpointId of endpoints) {
        const all = client().listWebhookDeliveries.all({ endpointId, ...filter }, { signal });
        rows.push(...(await take(all, Number(options.limit))));
      }
      rows.sort((left, right) => right.createdAt.localeCompare(left.createdAt));
      output.table(rows, endpoint === undefined ? ['endpointId', ...COLUMNS] : COLUMNS, forPeople);
    },
  },
  operationCommand('deliveries show', 'getWebhookDelivery', 'Show a delivery', {
    arguments: delivery,
    forPeople,
  }),
  operationCommand(
    'deliveries attempts',
    'listWebhookAttempts',
    'Show the attempts of a delivery, newest first: what was answered, or why and where each failed',
    {
      arguments: delivery,
      limit: { default: ATTEMPTS_MAX, most: ATTEMPTS_MAX },
      columns: 'attemptNumber startedAt outcome errorCode reason failedHop responseStatus responseStart',
      forPeople: (attempt) => ({ ...attempt, failedHop: hopOf(attempt) }),
    },
  ),
  operationCommand('deliveries replay', 'replayWebhookDelivery', 'Send a delivery that has ended once more', {
    arguments: delivery,
    forPeople,
  }),
  operationCommand(
    'deliveries retry',
    'retryWebhookDelivery',
    'Make the next attempt of a retrying delivery now',
    {
      arguments: delivery,
      forPeople,
      note: ({ pausedUntil, pauseReason }) =>
        typeof pausedUntil === 'string'
          ? `The endpoint is paused (${pauseReason}): the attempt is made at ${pausedUntil}.`
          : undefined,
    },
  ),
  deliveryRecovery,
];
