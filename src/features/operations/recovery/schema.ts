import { type Static, Type } from '@sinclair/typebox';
import { Closed, described, TimestampField } from '../../../shared/field-schemas.ts';
import { DeliveryRecoveryInput } from '../kinds/input-schema.ts';

/** contract/operations#delivery-recovery */
export const RecoveryBody = Closed({
  since: described('Events from this time on.', TimestampField),
  statuses: described(
    'What to send: `missed` for events without a delivery, `retrying` for deliveries that wait for another attempt, or ends of deliveries.',
    Type.Optional(DeliveryRecoveryInput.properties.statuses),
  ),
});
export type RecoveryBody = Static<typeof RecoveryBody>;
