import type { OperationLinks } from '../features/operations/record.ts';
import type { Outbox } from '../outbox/append.ts';
import type { Clock } from '../shared/clock.ts';
import type { AdminDependencies } from './admin-dependencies.ts';

/**
 * The dependencies of changes of operations. The CLI has no key to sign links to result files, so it shows
 * none.
 */
export function operationDependencies({ outbox, clock, config }: AdminDependencies): {
  outbox: Outbox;
  clock: Clock;
  links: OperationLinks;
} {
  return { outbox, clock, links: { docsUrl: config.docsUrl, resultUrl: () => null } };
}
