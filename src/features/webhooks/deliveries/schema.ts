import { Type } from '@sinclair/typebox';
import { deliveryStatuses } from '../../../db/schema/webhooks.ts';
import { Nullable, OneOf, TimestampField, UuidField } from '../../../shared/field-schemas.ts';

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
    lastErrorCode: Nullable(Type.String()),
    responseStatus: Nullable(Type.Integer()),
  },
  { $id: 'WebhookDelivery', additionalProperties: false },
);

export const DeliveryPath = Type.Object({ deliveryId: UuidField });
