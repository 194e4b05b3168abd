import type { Logger } from '../../shared/log.ts';
import type { NodeSet } from './node-backoff.ts';
import type { RequestBudget } from './request-budget.ts';

/** What reading transactions from nodes needs. */
export interface FetchDependencies {
  nodes: NodeSet;
  /** What all requests together may cost; unlimited without it. */
  budget?: RequestBudget;
  log: Logger;
  signal: AbortSignal;
}
