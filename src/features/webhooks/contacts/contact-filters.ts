import { type FieldError, Problem } from '../../../shared/problem.ts';

/**
 * The only event types of a contact (contract/webhooks#contact); `set_webhook_contact` in the migrations
 * repeats them.
 */
export const CONTACT_EVENT_TYPES: readonly string[] = ['build.service.webhook_endpoint.*'];

/** Throws `validation_failed` for filters given for a contact. */
export function refuseFilters({ eventTypes, subjects }: { eventTypes?: unknown; subjects?: unknown }): void {
  const given = [eventTypes === undefined ? [] : 'eventTypes', subjects == null ? [] : 'subjects'].flat();
  if (given.length === 0) return;
  const message = `a contact receives ${CONTACT_EVENT_TYPES.join(', ')} and has no filters of its own`;
  const errors = given.map(
    (field): FieldError => ({ path: `/body/${field}`, code: 'invalid_value', message }),
  );
  throw new Problem('validation_failed', { errors });
}
