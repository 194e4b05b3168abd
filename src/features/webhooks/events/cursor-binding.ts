import { type EventName, eventType } from '../../../shared/events/catalogue.ts';
import type { VisibleTypes } from './visible-types.ts';

/**
 * The types by whose names cursors are bound to what a key may list: those of the releases before migration 0040. Types
 * that came later are in no binding, or a release with one more type would refuse the cursors of another
 * (decisions/0072). A list that never changes.
 */
const boundTypes: ReadonlySet<string> = new Set(
  (
    [
      'launch.created',
      'launch.graduated',
      'launch.failed',
      'token.curve_completed',
      'presale.opened',
      'presale.settled',
      'presale.failed',
      'prediction_round.opened',
      'prediction_round.locked',
      'prediction_round.settled',
      'prediction_round.voided',
      'prediction.submitted',
      'fee_distribution.completed',
      'operation.succeeded',
      'operation.failed',
      'operation.cancelled',
      'transaction_intent.prepared',
      'transaction_intent.submitted',
      'transaction_intent.confirmed',
      'transaction_intent.failed',
      'transaction_intent.expired',
      'webhook_endpoint.failing',
      'webhook_endpoint.disabled',
      'webhook.ping',
    ] satisfies EventName[]
  ).map(eventType),
);

/** What a cursor of the list is bound to for its types. A filter that selects only later types stands for them. */
export function boundTypesOf(
  { ofEveryone, ofAccount, ofFollowers = [] }: VisibleTypes,
  filter: string,
): Pick<VisibleTypes, 'ofEveryone' | 'ofAccount'> | string {
  const isBound = (type: string) => boundTypes.has(type);
  const bound = { ofEveryone: ofEveryone.filter(isBound), ofAccount: ofAccount.filter(isBound) };
  const isEmpty = bound.ofEveryone.length === 0 && bound.ofAccount.length === 0;
  return isEmpty && ofEveryone.length + ofAccount.length + ofFollowers.length > 0 ? filter : bound;
}
