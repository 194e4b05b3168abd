import { type Static, Type } from '@sinclair/typebox';
import { TimestampField, UuidField } from '../../../shared/field-schemas.ts';
import { DeliveryRecoveryInput } from '../kinds/input-schema.ts';

export const RecoveryPath = Type.Object({ endpointId: UuidField });

/** contract/operations#delivery-recovery */
export const RecoveryBody = Type.Object(
  { since: TimestampField, statuses: Type.Optional(DeliveryRecoveryInput.properties.statuses) },
  { additionalProperties: false },
);
export type RecoveryBody = Static<typeof RecoveryBody>;
