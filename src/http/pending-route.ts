import { Problem } from '../shared/problem.ts';
import { mutation, type Operation, privateRead, publicRead, type Route } from './operation.ts';

/**
 * A route whose feature has not landed: the whole contract applies to it (authentication, limits, schemas), then it
 * answers 503. None may remain in a release.
 */
export function pendingRoute(operation: Operation): Route & { pending: true } {
  return { ...routeOf(operation), pending: true };
}

function routeOf(operation: Operation): Route {
  const unavailable = () => {
    throw new Problem('api_dependency_unavailable', { detail: 'This operation is not available yet.' });
  };
  if (operation.method !== 'GET') return mutation(operation, async () => unavailable());
  return operation.auth === 'anonymous'
    ? publicRead(operation, unavailable)
    : privateRead(operation, unavailable);
}
