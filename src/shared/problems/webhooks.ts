import { problemArea } from './problem-area.ts';

export const webhooksProblems = problemArea('webhooks', 'Webhooks', {
  webhook_endpoint_not_found: {
    status: 404,
    title: 'Webhook endpoint not found',
    detail: 'No webhook endpoint of this account has this id.',
    when: [
      'The id is unknown, the endpoint was deleted, or it belongs to another account. The deliveries of a deleted endpoint can still be listed.',
    ],
    action: 'Take ids from `listWebhookEndpoints`.',
  },
  webhook_delivery_not_found: {
    status: 404,
    title: 'Webhook delivery not found',
    detail: 'No delivery of this account has this id.',
    when: [
      'The id is unknown, too old to be kept, or belongs to another account.',
      'An event id was sent instead of a delivery id.',
    ],
    action:
      'Take ids from `listWebhookDeliveries`, or from the `Launchwire-Delivery-Id` header of a request you received.',
  },
  webhook_delivery_not_replayable: {
    status: 409,
    title: 'Delivery not replayable',
    detail: 'Only succeeded and dead-lettered deliveries can be replayed.',
    meaning: 'Only succeeded and dead-lettered deliveries can be replayed, and only to an enabled endpoint.',
    when: [
      'The delivery is still pending, processing or retrying.',
      'Its endpoint is disabled or deleted. The replay is not counted.',
      'Its event is about a token that is not visible.',
    ],
    action:
      'Wait: an unfinished delivery has its next attempt at `nextAttemptAt` anyway. One in `retrying` can be sent now with `retryWebhookDelivery`, all of an endpoint since a time with `recoverWebhookDeliveries`. Enable a disabled endpoint with `updateWebhookEndpoint` first.',
    context: {
      status: { meaning: 'the status of the delivery', example: 'dead_letter' },
      endpointStatus: { meaning: '`disabled` or `deleted`, when that is the reason', example: 'disabled' },
      disabledReason: { meaning: 'reason why it was disabled, in that case', example: 'failing' },
    },
  },
  webhook_delivery_not_retrying: {
    status: 409,
    title: 'Delivery not retrying',
    detail: 'Only a delivery that waits for its next attempt can be sent early.',
    when: [
      'The delivery is already due or being attempted: `pending` or `processing`.',
      'It has ended: `succeeded` or `dead_letter`.',
      'Its endpoint is disabled or deleted.',
    ],
    action: 'Wait for a running attempt; replay an ended delivery, to an enabled endpoint.',
    context: {
      status: { meaning: 'the status of the delivery', example: 'processing' },
      endpointStatus: { meaning: '`disabled` or `deleted`, when that is the reason', example: 'disabled' },
    },
  },
  event_not_found: {
    status: 404,
    title: 'Event not found',
    detail: 'No event that this key may read has this id.',
    when: [
      'The id is unknown, or the event is too old to be kept.',
      'It belongs to another account, or to your account and needs a read scope that the key lacks.',
      'It is about a token that is not visible.',
      'A delivery id was sent instead of an event id.',
    ],
    action:
      'Take ids from `listEvents`, from `eventId` of a delivery, or from the `webhook-id` header of a request you received.',
  },
  webhook_endpoint_limit_reached: {
    status: 409,
    title: 'Endpoint limit reached',
    detail: 'An account holds at most 20 webhook endpoints.',
    when: ['A 21st endpoint is created.'],
    action:
      'Delete one that is no longer used, or let one endpoint receive more event types. Disabled endpoints count too.',
    context: { limit: { meaning: 'maximum number of endpoints of an account', example: 20 } },
  },
  webhook_delivery_replay_limit_reached: {
    status: 409,
    title: 'Replay limit reached',
    detail: 'A delivery can be replayed at most 10 times.',
    when: ['An eleventh replay is requested.'],
    action: 'Fix the receiver first. The facts of the event can still be read through the API.',
  },
  webhook_endpoint_disabled: {
    status: 409,
    title: 'Webhook endpoint disabled',
    detail: 'The endpoint is disabled: nothing is sent to it.',
    when: ['A ping or a recovery of a disabled endpoint is requested.'],
    action: 'Enable it with `updateWebhookEndpoint`: that sends a `webhook.ping` by itself.',
    context: {
      status: { meaning: 'the status of the endpoint', example: 'disabled' },
      disabledReason: { meaning: 'why it was disabled', example: 'failing' },
    },
  },
  webhook_url_disallowed: {
    status: 422,
    title: 'Webhook URL disallowed',
    detail: 'The URL policy refuses this destination.',
    when: [
      'The URL is not `https`, has a user name, password or fragment, or is longer than 2,048 characters.',
      'The host is an address or name that is not public: loopback, private ranges, cloud metadata, `.local`, `.internal`, single labels.',
      'The name resolves, among others, to such an address right now.',
      'A sandbox accepts only addresses of its own machine, because no webhook may leave it.',
    ],
    action:
      'Register a public HTTPS URL; in a sandbox an address of your machine, such as `http://127.0.0.1:4100`. To receive on your own machine use a tunnel with a public name, or `npx --no-install launchwire listen`, which needs none. The same policy judges every attempt and every redirect later on.',
    context: {
      reason: { meaning: 'the rule that was broken, see the table below', example: 'address_not_public' },
    },
  },
});
