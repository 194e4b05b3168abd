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
  /** Deliveries about a hidden token, and deliveries whose status changed meanwhile. */
  notReplayable: number;
  /** The page waits until the relay has made the deliveries of an event. */
  isWaiting: boolean;
}

export interface RecoverySpan {
  endpointId: string;
  since: Date;
  until: Date;
}
export type MissedPage = RecoverySpan & { afterId: string | null };
export type FinishedPage = MissedPage & { statuses: readonly ('succeeded' | 'dead_letter')[] };

/** The rules and rows of webhooks that a recovery uses. */
export interface RecoveryDependencies {
  findEndpoint(
    db: Queryable,
    endpointId: string,
  ): Promise<{ accountId: string; condition: 'enabled' | 'disabled' | 'deleted' } | null>;
  /** True while an endpoint has so many open deliveries that deliveries of new events would wait for them. */
  isBacklogged(transaction: Transaction, endpointId: string): Promise<boolean>;
  recoverFinished(transaction: Transaction, page: FinishedPage): Promise<RecoveryPage>;
  recoverMissed(transaction: Transaction, page: MissedPage): Promise<RecoveryPage>;
  /** Called after a commit that made deliveries due. */
  onDeliveriesDue(): void;
}

interface Checkpoint {
  phase: 'finished' | 'missed' | 'done';
  afterId: string | null;
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
  recovering<DeliveryRecoveryInput>(dependencies, {
    kind: 'delivery_recovery',
    spanOf: ({ input: { endpointId, since, until } }) => ({
      endpointId,
      since: parseInstant(since),
      until: parseInstant(until),
    }),
    statusesOf: ({ statuses }) => statuses,
    disabledCode: 'webhook_endpoint_disabled',
    reportOf: (input, { missed }) => ({ ...input, missed }),
  });

/** A recovery of one status, up to the time of the request (contract/operations#delivery-replay). */
export const deliveryReplay = (dependencies: RecoveryDependencies) =>
  recovering<DeliveryReplayInput>(dependencies, {
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
 * Handles finished deliveries first, then events without a delivery. Each step moves its position in the
 * transaction that makes deliveries due, so a killed run neither repeats nor skips one. Between steps the
 * worker runs other operations.
 */
function recovering<Asked extends Input>(
  dependencies: RecoveryDependencies,
  terms: Terms<Asked>,
): OperationKind<Asked, Checkpoint> {
  return {
    kind: terms.kind,
    async run(run) {
      const statuses = terms.statusesOf(run.input);
      let state = stateOf(run.checkpoint, statuses);
      while (state.phase !== 'done') {
        const { next, isPaused } = await recoverPage(run, dependencies, terms, state);
        if (next.replayed + next.missed > state.replayed + state.missed) dependencies.onDeliveriesDue();
        state = next;
        if (isPaused) throw new RunPaused(PAUSE_MS);
      }
      return writeReport(run, terms, state);
    },
  };
}

/**
 * The state from which a run continues. A replay of the release before kept a list instead of a position, and
 * begins anew.
 */
function stateOf(checkpoint: Checkpoint | null, statuses: DeliveryRecoveryInput['statuses']): Checkpoint {
  const phase = statuses.some((status) => status !== 'missed') ? 'finished' : 'missed';
  const start = { phase, afterId: null, replayed: 0, missed: 0, limitReached: 0, notReplayable: 0 } as const;
  const isOurs = checkpoint !== null && ['finished', 'missed', 'done'].includes(checkpoint.phase);
  return isOurs ? { ...start, ...checkpoint } : start;
}

/** One step: a page of the phase, or nothing while the endpoint has too many open deliveries. */
async function recoverPage<Asked extends Input>(
  run: Run<Asked>,
  dependencies: RecoveryDependencies,
  terms: Terms<Asked>,
  state: Checkpoint,
): Promise<{ next: Checkpoint; isPaused: boolean }> {
  const span = terms.spanOf(run);
  const statuses = terms.statusesOf(run.input);
  let next = state;
  let isPaused = false;
  await run.step(async (transaction) => {
    await requireEndpoint(transaction, run, dependencies, terms.disabledCode, state);
    if (await dependencies.isBacklogged(transaction, span.endpointId)) {
      isPaused = true;
      return {};
    }
    const page = { ...span, afterId: state.afterId };
    const finished = statuses.filter((status) => status !== 'missed');
    const done =
      state.phase === 'finished'
        ? await dependencies.recoverFinished(transaction, { ...page, statuses: finished })
        : await dependencies.recoverMissed(transaction, page);
    next = advanced(state, done, statuses.includes('missed'));
    isPaused = done.recovered > 0 || done.isWaiting;
    const completed = BigInt(matchedOf(next));
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
    notReplayable: state.notReplayable + page.notReplayable,
  };
}

function matchedOf({ replayed, missed, limitReached, notReplayable }: Checkpoint): number {
  return replayed + missed + limitReached + notReplayable;
}

/** Throws the Problem that ends the operation unless the endpoint belongs to the account and is enabled. */
async function requireEndpoint(
  transaction: Transaction,
  { accountId, input }: Run,
  { findEndpoint }: RecoveryDependencies,
  disabledCode: ProblemCode,
  { replayed, missed }: Checkpoint,
): Promise<void> {
  const endpoint = await findEndpoint(transaction, input.endpointId);
  const done = `${replayed + missed} deliveries had been made due.`;
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
