import type { Queryable, Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { deleteChunks, insertChunk, type ResultFile } from '../results/rows.ts';
import { type OperationKind, type OperationRun, RunPaused } from '../runner/kind.ts';
import type { DeliveryRecoveryInput } from './input-schema.ts';

/** What became of what a step looked at. */
export interface RecoveryPage {
  /** Where the next step goes on; null at the end. */
  afterId: string | null;
  recovered: number;
  /** Deliveries that were replayed 10 times before. */
  limitReached: number;
  /** The page goes on only when the relay has made deliveries of an event. */
  isWaiting: boolean;
}

/** What recovering asks of the webhooks: rules and rows stay there. */
export interface RecoveryDependencies {
  findEndpoint(
    db: Queryable,
    endpointId: string,
  ): Promise<{ accountId: string; condition: 'enabled' | 'disabled' | 'deleted' } | null>;
  /** True while an endpoint has so many open deliveries that new events would stand behind them. */
  isBacklogged(transaction: Transaction, endpointId: string): Promise<boolean>;
  recoverFinished(transaction: Transaction, page: FinishedPage): Promise<RecoveryPage>;
  recoverMissed(transaction: Transaction, page: MissedPage): Promise<RecoveryPage>;
  /** Called after a commit that made deliveries due. */
  onDeliveriesDue(): void;
}

export interface MissedPage {
  endpointId: string;
  since: Date;
  until: Date;
  afterId: string | null;
}

export interface FinishedPage extends MissedPage {
  statuses: readonly ('succeeded' | 'dead_letter')[];
}

interface Checkpoint {
  phase: 'finished' | 'missed' | 'done';
  afterId: string | null;
  replayed: number;
  missed: number;
  limitReached: number;
}

type Run = OperationRun<DeliveryRecoveryInput, Checkpoint>;

/** Between two steps that made deliveries due: with their size, the rate at which an endpoint gets them. */
const PAUSE_MS = 1_000;

/**
 * Sends an endpoint what it did not get since a time (contract/operations#delivery-recovery): first finished deliveries,
 * then events without a delivery. Each step moves its position in the transaction that makes deliveries due, so a killed
 * run neither repeats nor forgets one; between steps others get the worker.
 */
export function deliveryRecovery(
  dependencies: RecoveryDependencies,
): OperationKind<DeliveryRecoveryInput, Checkpoint> {
  return {
    kind: 'delivery_recovery',
    async run(run) {
      let state = run.checkpoint ?? startOf(run.input);
      while (state.phase !== 'done') {
        const { next, isPaused } = await recoverPage(run, dependencies, state);
        if (next.replayed + next.missed > state.replayed + state.missed) dependencies.onDeliveriesDue();
        state = next;
        if (isPaused) throw new RunPaused(PAUSE_MS);
      }
      return writeReport(run, state);
    },
  };
}

function startOf({ statuses }: DeliveryRecoveryInput): Checkpoint {
  const phase = statuses.some((status) => status !== 'missed') ? 'finished' : 'missed';
  return { phase, afterId: null, replayed: 0, missed: 0, limitReached: 0 };
}

/** One step: a page of the phase, or nothing while the endpoint has enough to do. */
async function recoverPage(
  run: Run,
  dependencies: RecoveryDependencies,
  state: Checkpoint,
): Promise<{ next: Checkpoint; isPaused: boolean }> {
  const { endpointId, since, until, statuses } = run.input;
  let next = state;
  let isPaused = false;
  await run.step(async (transaction) => {
    await requireEndpoint(transaction, run, dependencies, state);
    if (await dependencies.isBacklogged(transaction, endpointId)) {
      isPaused = true;
      return {};
    }
    const page = { endpointId, since: new Date(since), until: new Date(until), afterId: state.afterId };
    const finished = statuses.filter((status) => status !== 'missed');
    const done =
      state.phase === 'finished'
        ? await dependencies.recoverFinished(transaction, { ...page, statuses: finished })
        : await dependencies.recoverMissed(transaction, page);
    next = advanced(state, done, statuses.includes('missed'));
    isPaused = done.recovered > 0 || done.isWaiting;
    const completed = BigInt(next.replayed + next.missed);
    return { checkpoint: next, progress: { completed, total: completed, unit: 'deliveries' } };
  });
  return { next, isPaused };
}

function advanced(state: Checkpoint, page: RecoveryPage, hasMissed: boolean): Checkpoint {
  const { afterId, recovered } = page;
  const isFinished = state.phase === 'finished';
  const phaseAfter = isFinished && hasMissed ? 'missed' : 'done';
  return {
    phase: afterId === null && !page.isWaiting ? phaseAfter : state.phase,
    afterId: page.isWaiting ? (afterId ?? state.afterId) : afterId,
    replayed: state.replayed + (isFinished ? recovered : 0),
    missed: state.missed + (isFinished ? 0 : recovered),
    limitReached: state.limitReached + page.limitReached,
  };
}

/** Throws the Problem that ends the operation unless the endpoint is the account's and gets deliveries. */
async function requireEndpoint(
  transaction: Transaction,
  { accountId, input }: Run,
  { findEndpoint }: RecoveryDependencies,
  { replayed, missed }: Checkpoint,
): Promise<void> {
  const endpoint = await findEndpoint(transaction, input.endpointId);
  const done = `${replayed + missed} deliveries had been made due.`;
  if (endpoint === null || endpoint.accountId !== accountId || endpoint.condition === 'deleted')
    throw new Problem('webhook_endpoint_not_found', { detail: `The webhook endpoint was deleted. ${done}` });
  if (endpoint.condition === 'disabled')
    throw new Problem('webhook_endpoint_disabled', { detail: `The webhook endpoint is disabled. ${done}` });
}

/** The counts as the operation's file. Written again when a run died right after: it is one piece. */
async function writeReport({ operationId, input, step }: Run, state: Checkpoint): Promise<ResultFile> {
  const { replayed, missed, limitReached } = state;
  const skipped = { webhook_delivery_replay_limit_reached: limitReached };
  const content = Buffer.from(`${JSON.stringify({ ...input, replayed, missed, skipped }, null, 2)}\n`);
  await step(async (transaction) => {
    await deleteChunks(transaction, operationId);
    await insertChunk(transaction, operationId, 0, content);
    return {};
  });
  return {
    contentType: 'application/json',
    fileName: `delivery-recovery-${operationId}.json`,
    byteLength: BigInt(content.byteLength),
  };
}
