import type { OperationLinks } from '../features/operations/record.ts';
import type { Outbox } from '../outbox/append.ts';
import type { Clock } from '../shared/clock.ts';
import type { AdminDependencies } from './admin-dependencies.ts';

/** What changing operations needs. The CLI has no key to sign links to result files: it shows none. */
export function operationDependencies({ outbox, clock, config }: AdminDependencies): {
  outbox: Outbox;
  clock: Clock;
  links: OperationLinks;
} {
  return { outbox, clock, links: { docsUrl: config.docsUrl, resultUrl: () => null } };
}
