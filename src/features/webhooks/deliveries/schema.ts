import { type Static, Type } from '@sinclair/typebox';
import { deliveryStatuses } from '../../../db/values/webhooks.ts';
import { paginationFields } from '../../../http/lists/pages.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { eventNames, eventType } from '../../../shared/events/catalogue.ts';
import {
  CountField,
  CreatedAtField,
  described,
  IdField,
  Named,
  Nullable,
  OneOf,
  TimestampField,
  UpdatedAtField,
  UuidField,
} from '../../../shared/field-schemas.ts';
import { attemptReasons } from '../../../shared/webhooks/attempt-reasons.ts';
import { pauseFields } from '../endpoints/schema.ts';

/** contract/delivery#delivery-record */
export const DeliverySchema = Named('WebhookDelivery', {
  id: IdField,
  endpointId: described('The webhook endpoint.', UuidField),
  eventId: described('Id of the event: `webhook-id` of the request.', UuidField),
  eventType: described('Type of the event.', Type.String()),
  status: described('State of the record.', OneOf(deliveryStatuses)),
  attemptCount: described('Number of attempts so far.', CountField),
  createdAt: CreatedAtField,
  updatedAt: UpdatedAtField,
  deliveredAt: described('When the endpoint accepted it; null until then.', Nullable(TimestampField)),
  nextAttemptAt: described(
    'When the next attempt is due; null if none is. It is not due before a pause of the endpoint ends.',
    Nullable(TimestampField),
  ),
  ...pauseFields,
  lastErrorCode: described('Why the last attempt failed; null if it did not fail.', Nullable(Type.String())),
  responseStatus: described('HTTP status of the response; null if there was none.', Nullable(Type.Integer())),
});
export type DeliveryRecord = Static<typeof DeliverySchema>;

const DurationField = Nullable(CountField);

/** contract/delivery#attempts */
export const AttemptSchema = Named('WebhookAttempt', {
  attemptNumber: described('Number of the attempt, counted from 1.', Type.Integer({ minimum: 1 })),
  startedAt: described('When the attempt began.', TimestampField),
  finishedAt: described('When the attempt ended; null while it is unknown.', Nullable(TimestampField)),
  outcome: described('How the attempt ended.', OneOf(['succeeded', 'failed', 'unknown'])),
  errorCode: described('Why the attempt failed; null if it did not fail.', Nullable(Type.String())),
  reason: described(
    'Cause of `network_error`, `dns_error`, `tls_error` and `url_disallowed`; null for other codes.',
    Nullable(OneOf(Object.values(attemptReasons).flat())),
  ),
  failedHop: described(
    'The request that failed or was refused; null after a success or an unknown outcome, and if nothing was sent.',
    Nullable(
      Type.Object({
        redirect: Type.Integer({
          minimum: 0,
          maximum: publishedLimits.webhookRedirects,
          description: '0 for the URL of the endpoint; otherwise the number of the redirect.',
        }),
        origin: described('Scheme, host and port.', Type.String()),
      }),
    ),
  ),
  responseStatus: described('HTTP status of the response; null if there was none.', Nullable(Type.Integer())),
  redirectCount: described('Redirects that were followed.', Nullable(CountField)),
  phases: described(
    'How long each step of the attempt took; null for a step that was not reached, or not needed because a connection was open.',
    Type.Object({
      dnsMs: described('Milliseconds to look up the name.', DurationField),
      connectMs: described('Milliseconds to connect.', DurationField),
      tlsMs: described('Milliseconds for the TLS handshake.', DurationField),
      firstByteMs: described('Milliseconds until the first byte of the response.', DurationField),
      totalMs: described('Milliseconds of the whole attempt.', DurationField),
    }),
  ),
  responseStart: described(
    'The first 1 KiB of the response, as UTF-8; null if there was none, and for a key that may not read the event.',
    Nullable(Type.String()),
  ),
});
export type AttemptRecord = Static<typeof AttemptSchema>;

export const DeliveryListQuery = Type.Object({
  ...paginationFields,
  status: described('Only items with this status.', Type.Optional(OneOf(deliveryStatuses))),
  eventType: described(
    'Only deliveries of events of this type, by its full or short name.',
    Type.Optional(OneOf([...eventNames.map(eventType), ...eventNames])),
  ),
  eventId: described('Only deliveries of this event.', Type.Optional(UuidField)),
  createdAfter: described('Only items created at this time or later.', Type.Optional(TimestampField)),
  createdBefore: described('Only items created before this time.', Type.Optional(TimestampField)),
});

export const DeliveryPath = Type.Object({
  deliveryId: described('Delivery id, from `listWebhookDeliveries`.', UuidField),
});
