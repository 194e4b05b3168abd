import type { Logger } from '../../shared/log.ts';
import type { NodeSet } from './node-backoff.ts';
import type { RequestBudget } from './request-budget.ts';

export interface FetchDependencies {
  nodes: NodeSet;
  /** Limits all requests together. No limit without it. */
  budget?: RequestBudget;
  log: Logger;
  signal: AbortSignal;
}
