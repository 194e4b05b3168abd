import {
  isTradeEventDue,
  recordTradeEvents,
  type TradeEventsContext,
} from '../../features/market/record-trade-events.ts';
import type { Logger } from '../../shared/log.ts';
import { runLoop, type Wakeup } from '../../shared/loop.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

export interface TradeEventsJobDependencies {
  context: TradeEventsContext;
  /** Woken when ingest has queued trades. */
  wakeup: Wakeup;
  dueWork: DueWork;
  log: Logger;
  signal: AbortSignal;
}

/** Records the events of followed trades until the signal aborts; any number of workers may do it. */
export async function runTradeEvents({
  context,
  wakeup,
  dueWork,
  log,
  signal,
}: TradeEventsJobDependencies): Promise<void> {
  const unwatch = dueWork.watch(isTradeEventDue, wakeup);
  await runLoop({
    name: 'trade-events',
    log,
    signal,
    idleMs: DUE_FALLBACK_MS,
    wakeup,
    step: () => recordTradeEvents(context),
  });
  unwatch();
}
