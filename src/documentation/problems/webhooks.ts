import type { AreaExplanations } from './explanation.ts';

/** Webhook endpoints and deliveries. */
export const webhookExplanations = {
  webhook_endpoint_not_found: {
    meaning: 'No webhook endpoint of your account has this id.',
    when: [
      'The id is unknown, the endpoint was deleted, or it belongs to another account. The deliveries of a deleted endpoint can still be listed.',
    ],
    action: 'Take ids from `listWebhookEndpoints`.',
  },
  event_not_found: {
    meaning: 'No event that the key may read has this id.',
    when: [
      'The id is unknown, or the event is too old to be kept.',
      'It belongs to another account, or to your account and needs a read scope that the key lacks.',
      'It is about a token that is not visible.',
      'A delivery id was sent instead of an event id.',
    ],
    action:
      'Take ids from `listEvents`, from `eventId` of a delivery, or from the `webhook-id` header of a request you received.',
  },
  webhook_delivery_not_found: {
    meaning: 'No delivery of your account has this id.',
    when: [
      'The id is unknown, too old to be kept, or belongs to another account.',
      'An event id was sent instead of a delivery id.',
    ],
    action:
      'Take ids from `listWebhookDeliveries`, or from the `Launchwire-Delivery-Id` header of a request you received.',
  },
  webhook_delivery_not_replayable: {
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
    meaning: 'Only the next attempt of a delivery in `retrying` can be made early.',
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
  webhook_endpoint_limit_reached: {
    meaning: 'The account has the maximum number of webhook endpoints.',
    when: ['A 21st endpoint is created.'],
    action:
      'Delete one that is no longer used, or let one endpoint receive more event types. Disabled endpoints count too.',
    context: { limit: { meaning: 'maximum number of endpoints of an account', example: 20 } },
  },
  webhook_endpoint_disabled: {
    meaning: 'The endpoint is disabled, so nothing is sent to it.',
    when: ['A ping or a recovery of a disabled endpoint is requested.'],
    action: 'Enable it with `updateWebhookEndpoint`: that sends a `webhook.ping` by itself.',
    context: {
      status: { meaning: 'the status of the endpoint', example: 'disabled' },
      disabledReason: { meaning: 'why it was disabled', example: 'failing' },
    },
  },
  webhook_delivery_replay_limit_reached: {
    meaning: 'The delivery has been replayed 10 times, which is the maximum.',
    when: ['An eleventh replay is requested.'],
    action: 'Fix the receiver first. The facts of the event can still be read through the API.',
  },
  webhook_url_disallowed: {
    meaning: 'The URL policy refuses this destination; `context.reason` names the rule.',
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
} as const satisfies AreaExplanations;
