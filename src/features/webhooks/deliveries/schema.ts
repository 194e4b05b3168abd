import { Type } from '@sinclair/typebox';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';
import { paginationFields } from '../../../http/pagination.ts';
import { publishedLimits } from '../../../shared/contract-limits.ts';
import { eventNames, eventType } from '../../../shared/events/catalogue.ts';
import { Nullable, OneOf, TimestampField, UuidField } from '../../../shared/field-schemas.ts';
import { attemptReasons } from '../../../shared/webhooks/attempt-reasons.ts';
import { pauseFields } from '../endpoints/schema.ts';

/** contract/delivery#delivery-record */
export const DeliverySchema = Type.Object(
  {
    id: UuidField,
    endpointId: UuidField,
    eventId: UuidField,
    eventType: Type.String(),
    status: OneOf(deliveryStatuses),
    attemptCount: Type.Integer({ minimum: 0 }),
    createdAt: TimestampField,
    updatedAt: TimestampField,
    deliveredAt: Nullable(TimestampField),
    nextAttemptAt: Nullable(TimestampField),
    ...pauseFields,
    lastErrorCode: Nullable(Type.String()),
    responseStatus: Nullable(Type.Integer()),
  },
  { $id: 'WebhookDelivery', additionalProperties: false },
);

const DurationField = Nullable(Type.Integer({ minimum: 0 }));

/** contract/delivery#attempts */
export const AttemptSchema = Type.Object(
  {
    attemptNumber: Type.Integer({ minimum: 1 }),
    startedAt: TimestampField,
    finishedAt: Nullable(TimestampField),
    outcome: OneOf(['succeeded', 'failed', 'unknown']),
    errorCode: Nullable(Type.String()),
    reason: Nullable(OneOf(Object.values(attemptReasons).flat())),
    failedHop: Nullable(
      Type.Object(
        {
          redirect: Type.Integer({
            minimum: 0,
            maximum: publishedLimits.webhookRedirects,
            description: '0: the URL of the endpoint; else which redirect',
          }),
          origin: Type.String({ description: 'scheme, host and port' }),
        },
        {
          description:
            'the request that failed or was refused; null for a success, an unknown outcome, and what was not sent',
        },
      ),
    ),
    responseStatus: Nullable(Type.Integer()),
    redirectCount: Nullable(Type.Integer({ minimum: 0 })),
    phases: Type.Object(
      {
        dnsMs: DurationField,
        connectMs: DurationField,
        tlsMs: DurationField,
        firstByteMs: DurationField,
        totalMs: DurationField,
      },
      { description: 'milliseconds; null where the attempt did not get to, or the connection was reused' },
    ),
    responseStart: Nullable(
      Type.String({
        description:
          'first 1 KiB of the response, as UTF-8; null without a response, and for a key that may not read the event',
      }),
    ),
  },
  { $id: 'WebhookAttempt', additionalProperties: false },
);

export const DeliveryListQuery = Type.Object({
  ...paginationFields,
  status: Type.Optional(OneOf(deliveryStatuses)),
  eventType: Type.Optional(OneOf(eventNames.map(eventType))),
  eventId: Type.Optional(UuidField),
  createdAfter: Type.Optional(TimestampField),
  createdBefore: Type.Optional(TimestampField),
});

export const DeliveryPath = Type.Object({ deliveryId: UuidField });
