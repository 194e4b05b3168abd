import { type Static, Type } from '@sinclair/typebox';
import { Closed, described, TimestampField } from '../../../shared/field-schemas.ts';
import { DeliveryRecoveryInput } from '../kinds/input-schema.ts';

/** contract/operations#delivery-recovery */
export const RecoveryBody = Closed({
  since: described('Events from this time on.', TimestampField),
  statuses: described(
    'What to send: `missed` for events that have no delivery, `retrying` for deliveries that wait for their next attempt, `dead_letter` or `succeeded` for deliveries that ended so.',
    Type.Optional(DeliveryRecoveryInput.properties.statuses),
  ),
});
export type RecoveryBody = Static<typeof RecoveryBody>;
