import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { followedTypes } from '../../../shared/events/catalogue.ts';
import { type FieldError, Problem } from '../../../shared/problem.ts';
import { impossibleFilters } from '../../../shared/webhooks/filter-matches.ts';

/** Which events an endpoint gets (contract/events#filters). */
export interface EndpointFilters {
  eventTypes: readonly string[];
  /** Null for all subjects. */
  subjects: readonly string[] | null;
}

/** Whether an endpoint gets trades. */
export function followsTrades({ eventTypes }: Pick<EndpointFilters, 'eventTypes'>): boolean {
  return eventTypes.some((type) => followedTypes.includes(type));
}

/** Whether an endpoint gets other events than trades. */
export function getsOthers({ eventTypes }: Pick<EndpointFilters, 'eventTypes'>): boolean {
  return eventTypes.some((type) => !followedTypes.includes(type));
}

/**
 * Throws `validation_failed` for an endpoint that would get the trades of everybody, for more subjects than
 * events other than trades allow (contract/webhooks#followed-trades), and for one that no event could reach.
 * @param field the field of the request that made it so
 */
export function requireUsableFilters(filters: EndpointFilters, field: 'eventTypes' | 'subjects'): void {
  const { subjects } = filters;
  const most = unpublishedLimits.endpointSubjects;
  if (followsTrades(filters) && subjects === null)
    throw invalid({
      path: '/body/subjects',
      code: 'required',
      message: 'must name the wallets and mints to follow: trades are not sent for all',
    });
  if (getsOthers(filters) && subjects !== null && subjects.length > most)
    throw invalid({
      path: `/body/${field}`,
      code: field === 'subjects' ? 'too_long' : 'invalid_value',
      message: `only an endpoint with ${followedTypes.join(' and ')} alone may name more than ${most} subjects`,
    });
  const errors = impossibleFilters(filters, field);
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

function invalid(error: FieldError): Problem {
  return new Problem('validation_failed', { errors: [error] });
}
