import type { Queryable, Transaction } from '../../../db/client.ts';
import { uuidTime } from '../../../shared/first-uuid.ts';
import { parseInstant } from '../../../shared/instant.ts';
import { Problem } from '../../../shared/problem.ts';
import type { ProblemCode } from '../../../shared/problem-table.ts';
import { deleteChunks, insertChunk, type ResultFile } from '../results/rows.ts';
import { type OperationKind, type OperationRun, RunPaused } from '../runner/kind.ts';
import type { DeliveryRecoveryInput, DeliveryReplayInput } from './input-schema.ts';

/** The result of one step. */
export interface RecoveryPage {
  /** Where the next step continues; null at the end. */
  afterId: string | null;
  recovered: number;
  /** Deliveries that had been replayed 10 times already. */
  limitReached: number;
  /** Deliveries about a hidden token, and finished deliveries whose status changed meanwhile. */
  notReplayable: number;
  /** The page waits until the relay has made the deliveries of an event, or has ended an attempt. */
  isWaiting: boolean;
}

export interface RecoverySpan {
  endpointId: string;
  since: Date;
  until: Date;
}
export type MissedPage = RecoverySpan & { afterId: string | null };
export type FinishedPage = MissedPage & {
  statuses: readonly ('succeeded' | 'dead_letter')[];
  /** Only those that ended before; null for all. */
  endedBefore: Date | null;
};

/** The rules and rows of webhooks that a recovery uses. */
export interface RecoveryDependencies {
  findEndpoint(
    db: Queryable,
    endpointId: string,
  ): Promise<{ accountId: string; condition: 'enabled' | 'disabled' | 'deleted' } | null>;
  /** True while deliveries of new events would wait for the open deliveries of an endpoint. */
  isBacklogged(transaction: Transaction, endpointId: string): Promise<boolean>;
  /** The same of the retrying deliveries that the recovery has made due. */
  isRetryBacklogged(transaction: Transaction, page: MissedPage): Promise<boolean>;
  recoverRetrying(transaction: Transaction, page: MissedPage): Promise<RecoveryPage>;
  recoverFinished(transaction: Transaction, page: FinishedPage): Promise<RecoveryPage>;
  recoverMissed(transaction: Transaction, page: MissedPage): Promise<RecoveryPage>;
  /** Called after a commit that made deliveries due. */
  onDeliveriesDue(): void;
}

/** In this order: a replay that fails again is `retrying`, and would be taken twice. */
const PHASES = ['retrying', 'finished', 'missed'] as const;
type Phase = (typeof PHASES)[number];

interface Checkpoint {
  phase: Phase | 'done';
  afterId: string | null;
  retried: number;
  replayed: number;
  missed: number;
  limitReached: number;
  notReplayable: number;
}

type Input = DeliveryRecoveryInput | DeliveryReplayInput;
type Run<Asked extends Input = Input> = OperationRun<Asked, Checkpoint>;

/** The differences between the two kinds. */
interface Terms<Asked extends Input> {
  kind: string;
  spanOf(run: Run<Asked>): RecoverySpan;
  statusesOf(input: Asked): DeliveryRecoveryInput['statuses'];
  /** Error code for a disabled endpoint. */
  disabledCode: ProblemCode;
  /** The counts in the result file of the kind. */
  reportOf(input: Asked, state: Checkpoint): object;
}

/**
 * Pause between two steps that made deliveries due. With the size of a step it sets the rate for an endpoint.
 */
const PAUSE_MS = 1_000;

/** Sends an endpoint the events that it missed since a time (contract/operations#delivery-recovery). */
export const deliveryRecovery = (dependencies: RecoveryDependencies) =>
  recoveryKind<DeliveryRecoveryInput>(dependencies, {
    kind: 'delivery_recovery',
    spanOf: ({ input: { endpointId, since, until } }) => ({
      endpointId,
      since: parseInstant(since),
      until: parseInstant(until),
    }),
    statusesOf: ({ statuses }) => statuses,
    disabledCode: 'webhook_endpoint_disabled',
    reportOf: (input, { missed, retried }) => ({ ...input, missed, retried }),
  });

/** A recovery of one status, up to the time of the request (contract/operations#delivery-replay). */
export const deliveryReplay = (dependencies: RecoveryDependencies) =>
  recoveryKind<DeliveryReplayInput>(dependencies, {
    kind: 'delivery_replay',
    spanOf: ({ operationId, input: { endpointId, since } }) => ({
      endpointId,
      since: parseInstant(since) ?? new Date(0),
      until: uuidTime(operationId),
    }),
    statusesOf: ({ status }) => [status],
    disabledCode: 'webhook_delivery_not_replayable',
    reportOf: (input) => ({ ...input, since: input.since ?? null }),
  });

/**
 * Handles retrying deliveries first, then finished ones, then events without a delivery. Each step moves its
 * position in the transaction that makes deliveries due, so a killed run neither repeats nor skips one.
 * Between steps the worker runs other operations.
 */
function recoveryKind<Asked extends Input>(
  dependencies: RecoveryDependencies,
  terms: Terms<Asked>,
): OperationKind<Asked, Checkpoint> {
  return {
    kind: terms.kind,
    async run(run) {
      const statuses = terms.statusesOf(run.input);
      let state = run.checkpoint ?? startOf(statuses);
      while (state.phase !== 'done') {
        const { next, isPaused } = await recoverPage(run, dependencies, terms, state);
        if (madeDueIn(next) > madeDueIn(state)) dependencies.onDeliveriesDue();
        state = next;
        if (isPaused) throw new RunPaused(PAUSE_MS);
      }
      return writeReport(run, terms, state);
    },
  };
}

const phasesOf = (statuses: DeliveryRecoveryInput['statuses']): Phase[] =>
  PHASES.filter((phase) =>
    phase === 'finished'
      ? statuses.includes('succeeded') || statuses.includes('dead_letter')
      : statuses.includes(phase),
  );

function startOf(statuses: DeliveryRecoveryInput['statuses']): Checkpoint {
  const [phase = 'done'] = phasesOf(statuses);
  return { phase, afterId: null, retried: 0, replayed: 0, missed: 0, limitReached: 0, notReplayable: 0 };
}

/** One step: a page of the phase, or nothing while the endpoint has too many open deliveries. */
async function recoverPage<Asked extends Input>(
  run: Run<Asked>,
  dependencies: RecoveryDependencies,
  terms: Terms<Asked>,
  state: Checkpoint,
): Promise<{ next: Checkpoint; isPaused: boolean }> {
  const statuses = terms.statusesOf(run.input);
  const page = { ...terms.spanOf(run), afterId: state.afterId };
  let next = state;
  let isPaused = false;
  await run.step(async (transaction) => {
    await requireEndpoint(transaction, run, dependencies, terms.disabledCode, state);
    const done = await pageOf(transaction, dependencies, state.phase, statuses, page);
    if (done === null) {
      isPaused = true;
      return {};
    }
    next = checkpointAfter(state, done, phasesOf(statuses));
    isPaused = done.recovered > 0 || done.isWaiting;
    const completed = BigInt(matchedOf(next));
    return { checkpoint: next, progress: { completed, total: completed, unit: 'deliveries' } };
  });
  return { next, isPaused };
}

/** Does the page of a phase; null while it has to wait for open deliveries. */
async function pageOf(
  transaction: Transaction,
  dependencies: RecoveryDependencies,
  phase: Checkpoint['phase'],
  statuses: DeliveryRecoveryInput['statuses'],
  page: MissedPage,
): Promise<RecoveryPage | null> {
  if (phase === 'retrying')
    return (await dependencies.isRetryBacklogged(transaction, page))
      ? null
      : dependencies.recoverRetrying(transaction, page);
  if (await dependencies.isBacklogged(transaction, page.endpointId)) return null;
  if (phase === 'missed') return dependencies.recoverMissed(transaction, page);
  const finished = statuses.filter((status) => status === 'succeeded' || status === 'dead_letter');
  // A retrying delivery whose last attempt this recovery has just made is not replayed as well.
  const endedBefore = statuses.includes('retrying') ? page.until : null;
  return dependencies.recoverFinished(transaction, { ...page, statuses: finished, endedBefore });
}

const COUNTS = { retrying: 'retried', finished: 'replayed', missed: 'missed' } as const;

function checkpointAfter(state: Checkpoint, page: RecoveryPage, phases: readonly Phase[]): Checkpoint {
  const { phase } = state;
  if (phase === 'done') return state;
  const { afterId, recovered } = page;
  const phaseAfter = phases[phases.indexOf(phase) + 1] ?? 'done';
  const count = COUNTS[phase];
  return {
    ...state,
    phase: afterId === null && !page.isWaiting ? phaseAfter : phase,
    afterId: page.isWaiting ? (afterId ?? state.afterId) : afterId,
    [count]: state[count] + recovered,
    limitReached: state.limitReached + page.limitReached,
    notReplayable: state.notReplayable + page.notReplayable,
  };
}

function madeDueIn({ retried, replayed, missed }: Checkpoint): number {
  return retried + replayed + missed;
}

function matchedOf(state: Checkpoint): number {
  return madeDueIn(state) + state.limitReached + state.notReplayable;
}

/** Throws the Problem that ends the operation unless the endpoint belongs to the account and is enabled. */
async function requireEndpoint(
  transaction: Transaction,
  { accountId, input }: Run,
  { findEndpoint }: RecoveryDependencies,
  disabledCode: ProblemCode,
  state: Checkpoint,
): Promise<void> {
  const endpoint = await findEndpoint(transaction, input.endpointId);
  const done = `${madeDueIn(state)} deliveries had been made due.`;
  if (endpoint === null || endpoint.accountId !== accountId || endpoint.condition === 'deleted')
    throw new Problem('webhook_endpoint_not_found', {
      detail: `The webhook endpoint does not exist or was deleted. ${done}`,
    });
  if (endpoint.condition === 'disabled')
    throw new Problem(disabledCode, {
      detail: `The webhook endpoint is disabled: enable it first. ${done}`,
    });
}

/**
 * Writes the counts as the file of the operation. The file is one piece, so a later run can write it again.
 */
async function writeReport<Asked extends Input>(
  { operationId, input, step }: Run<Asked>,
  { kind, reportOf }: Terms<Asked>,
  state: Checkpoint,
): Promise<ResultFile> {
  const report = {
    ...reportOf(input, state),
    matched: matchedOf(state),
    replayed: state.replayed,
    skipped: {
      webhook_delivery_replay_limit_reached: state.limitReached,
      webhook_delivery_not_replayable: state.notReplayable,
    },
  };
  const content = Buffer.from(`${JSON.stringify(report, null, 2)}\n`);
  await step(async (transaction) => {
    await deleteChunks(transaction, operationId);
    await insertChunk(transaction, operationId, 0, content);
    return {};
  });
  return {
    contentType: 'application/json',
    fileName: `${kind.replace('_', '-')}-${operationId}.json`,
    byteLength: BigInt(content.byteLength),
  };
}
