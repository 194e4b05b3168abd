import type { Schemas } from '../../operations.ts';
import { argumentOf, type Command, numberOf } from '../command.ts';
import { shortEventName } from '../event-names.ts';
import { take } from '../take.ts';
import { deliveryRecovery } from './delivery-recovery.ts';

const deliveryId = { name: 'id', help: 'id of the delivery', required: true };
const STATUSES = ['pending', 'processing', 'succeeded', 'retrying', 'dead_letter'] as const;
/** A delivery has ten attempts, and ten more for each of ten replays. */
const ATTEMPTS_MAX = 200;
type Delivery = Schemas['WebhookDelivery'];

/** The request with which an attempt failed: a redirect may have led it away from the endpoint. */
const attemptForPeople = (attempt: Schemas['WebhookAttempt']) => ({ ...attempt, failedHop: hopOf(attempt) });

function hopOf({ failedHop }: Schemas['WebhookAttempt']): string | null {
  if (failedHop === null || failedHop === undefined) return null;
  return failedHop.redirect === 0 ? failedHop.origin : `${failedHop.origin} (redirect ${failedHop.redirect})`;
}

const forPeople = (delivery: Delivery) => ({ ...delivery, eventType: shortEventName(delivery.eventType) });

export const deliveryCommands: readonly Command[] = [
  {
    name: 'deliveries list',
    summary: 'List the deliveries of an endpoint, or of all endpoints, newest first',
    details: 'Those of an endpoint that was deleted are listed by its id alone.',
    arguments: [
      {
        name: 'endpoint',
        help: 'id of the endpoint. Default: all endpoints of the account',
        required: false,
      },
    ],
    options: {
      status: { kind: 'text', choices: STATUSES, help: 'only those with this status' },
      limit: { kind: 'text', value: 'N', help: 'how many of each endpoint, from 1 to 1000', default: '20' },
    },
    examples: ['launchwire deliveries list --status dead_letter'],
    async run(invocation) {
      const { client, output, signal, options, arguments: given } = invocation;
      const endpoints =
        given.endpoint === undefined
          ? (await client().listWebhookEndpoints({}, { signal })).data.map(({ id }) => id)
          : [given.endpoint];
      const filter = options.status === undefined ? {} : { status: options.status as Delivery['status'] };
      const limit = numberOf(invocation, 'limit', 1, 1_000) ?? 20;
      const rows: Delivery[] = [];
      for (const endpointId of endpoints) {
        rows.push(
          ...(await take(client().listWebhookDeliveries.all({ endpointId, ...filter }, { signal }), limit)),
        );
      }
      rows.sort((left, right) => right.createdAt.localeCompare(left.createdAt));
      output.table(
        rows,
        [
          ...(given.endpoint === undefined ? ['endpointId'] : []),
          'id',
          'eventType',
          'status',
          'attemptCount',
          'lastErrorCode',
          'createdAt',
        ],
        forPeople,
      );
    },
  },
  {
    name: 'deliveries show',
    summary: 'Show a delivery',
    arguments: [deliveryId],
    options: {},
    examples: ['launchwire deliveries show 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const parameters = { deliveryId: argumentOf(invocation, 'id') };
      const delivery = await client().getWebhookDelivery(parameters, { signal });
      output.record(delivery, forPeople(delivery));
    },
  },
  {
    name: 'deliveries attempts',
    summary: 'Show the attempts of a delivery, newest first: what was answered, or why and where each failed',
    arguments: [deliveryId],
    options: {},
    examples: ['launchwire deliveries attempts 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const attempts = client().listWebhookAttempts.all(
        { deliveryId: argumentOf(invocation, 'id') },
        { signal },
      );
      const rows = await take(attempts, ATTEMPTS_MAX);
      output.table(
        rows,
        [
          'attemptNumber',
          'startedAt',
          'outcome',
          'errorCode',
          'reason',
          'failedHop',
          'responseStatus',
          'responseStart',
        ],
        attemptForPeople,
      );
    },
  },
  {
    name: 'deliveries replay',
    summary: 'Send a delivery that has ended once more',
    arguments: [deliveryId],
    options: {},
    examples: ['launchwire deliveries replay 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const parameters = { deliveryId: argumentOf(invocation, 'id') };
      const delivery = await client().replayWebhookDelivery(parameters, { signal });
      output.record(delivery, forPeople(delivery));
    },
  },
  {
    name: 'deliveries retry',
    summary: 'Make the next attempt of a retrying delivery now',
    arguments: [deliveryId],
    options: {},
    examples: ['launchwire deliveries retry 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const parameters = { deliveryId: argumentOf(invocation, 'id') };
      const delivery = await client().retryWebhookDelivery(parameters, { signal });
      output.record(delivery, forPeople(delivery));
      const { pausedUntil, pauseReason } = delivery;
      if (typeof pausedUntil === 'string')
        output.note(`The endpoint is paused (${pauseReason}): the attempt is made at ${pausedUntil}.`);
    },
  },
  deliveryRecovery,
];
