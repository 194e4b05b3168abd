import type { Queryable, Transaction } from '../../../db/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { deleteChunks, insertChunk, type ResultFile } from '../results/rows.ts';
import type { OperationKind, OperationRun } from '../runner/kind.ts';
import { addDeliveries, takeDeliveries } from './delivery-rows.ts';
import type { DeliveryReplayInput } from './input-schema.ts';

type Status = DeliveryReplayInput['status'];

/** Totals over all steps; every chosen delivery ends in exactly one of the last three. */
interface Counts {
  matched: number;
  replayed: number;
  limitReached: number;
  notReplayable: number;
}

/** What replaying asks of the webhooks: rules and rows stay there. */
export interface ReplayDependencies {
  findEndpoint(
    db: Queryable,
    endpointId: string,
  ): Promise<{ accountId: string; condition: 'enabled' | 'disabled' | 'deleted' } | null>;
  /** Ids in the order of creation, after `afterId`. */
  listDeliveries(
    db: Queryable,
    endpointId: string,
    selection: { status: Status; since: Date | null; afterId: string | null; limit: number },
  ): Promise<string[]>;
  replayDeliveries(
    transaction: Transaction,
    endpointId: string,
    statuses: readonly Status[],
    deliveryIds: readonly string[],
  ): Promise<Omit<Counts, 'matched'>>;
  /** Called after a commit that made deliveries due. */
  onDeliveriesDue(): void;
}

type Checkpoint =
  | { phase: 'choosing'; afterId: string; matched: number }
  | { phase: 'replaying'; counts: Counts };

type Run = OperationRun<DeliveryReplayInput, Checkpoint>;

const CHOSEN_PER_STEP = 10_000;
const REPLAYED_PER_STEP = 500;

/**
 * Sends finished deliveries of an endpoint again, oldest first (contract/processes#bulk-replay). Which ones is written down first; a delivery is
 * taken off that list in the transaction that replays it, so a killed run neither repeats nor forgets one.
 */
export function deliveryReplay(
  dependencies: ReplayDependencies,
): OperationKind<DeliveryReplayInput, Checkpoint> {
  return {
    kind: 'delivery_replay',
    async run(run) {
      const counts =
        run.checkpoint?.phase === 'replaying'
          ? run.checkpoint.counts
          : startCounts(await choose(run, dependencies));
      await replay(run, dependencies, counts);
      return writeReport(run, counts);
    },
  };
}

/** Writes down the deliveries that match now, page by page. Returns how many. */
async function choose(run: Run, dependencies: ReplayDependencies): Promise<number> {
  const { endpointId, status } = run.input;
  const since = run.input.since === undefined ? null : new Date(run.input.since);
  const start = run.checkpoint?.phase === 'choosing' ? run.checkpoint : null;
  let afterId = start?.afterId ?? null;
  let matched = start?.matched ?? 0;
  for (let isMore = true; isMore; ) {
    await run.step(async (transaction) => {
      await requireEndpoint(transaction, run, dependencies, null);
      const selection = { status, since, afterId, limit: CHOSEN_PER_STEP };
      const ids = await dependencies.listDeliveries(transaction, endpointId, selection);
      await addDeliveries(transaction, run.operationId, ids);
      isMore = ids.length === CHOSEN_PER_STEP;
      afterId = ids.at(-1) ?? afterId;
      matched += ids.length;
      const progress = progressOf(startCounts(matched));
      if (isMore && afterId !== null)
        return { progress, checkpoint: { phase: 'choosing', afterId, matched } };
      return { progress, checkpoint: { phase: 'replaying', counts: startCounts(matched) } };
    });
  }
  return matched;
}

/** Replays what was chosen, batch by batch, adding to `counts`. */
async function replay(run: Run, dependencies: ReplayDependencies, counts: Counts): Promise<void> {
  const { operationId, input } = run;
  for (let left = counts.matched - finishedOf(counts); left > 0; left = counts.matched - finishedOf(counts)) {
    let batch: Omit<Counts, 'matched'> = { replayed: 0, limitReached: 0, notReplayable: 0 };
    await run.step(async (transaction) => {
      await requireEndpoint(transaction, run, dependencies, counts);
      const ids = await takeDeliveries(transaction, operationId, REPLAYED_PER_STEP);
      if (ids.length === 0) throw new Error(`${left} chosen deliveries are missing`);
      batch = await dependencies.replayDeliveries(transaction, input.endpointId, [input.status], ids);
      const sum = addCounts(counts, batch);
      return { progress: progressOf(sum), checkpoint: { phase: 'replaying', counts: sum } };
    });
    Object.assign(counts, addCounts(counts, batch));
    if (batch.replayed > 0) dependencies.onDeliveriesDue();
  }
}

/** Throws the Problem that ends the operation unless the endpoint is the account's and gets deliveries. */
async function requireEndpoint(
  transaction: Transaction,
  { accountId, input }: Run,
  { findEndpoint }: ReplayDependencies,
  counts: Counts | null,
): Promise<void> {
  const endpoint = await findEndpoint(transaction, input.endpointId);
  const done =
    counts === null ? '' : ` ${counts.replayed} of ${counts.matched} deliveries had been replayed.`;
  if (endpoint === null || endpoint.accountId !== accountId || endpoint.condition === 'deleted') {
    throw new Problem('webhook_endpoint_not_found', {
      detail: `The webhook endpoint does not exist or was deleted.${done}`,
    });
  }
  if (endpoint.condition === 'disabled') {
    throw new Problem('webhook_delivery_not_replayable', {
      detail: `The webhook endpoint is disabled: enable it first.${done}`,
    });
  }
}

/** The counts as the operation's file. Written again when a run died right after: it is one piece. */
async function writeReport({ operationId, input, step }: Run, counts: Counts): Promise<ResultFile> {
  const { matched, replayed, limitReached, notReplayable } = counts;
  const report = {
    endpointId: input.endpointId,
    status: input.status,
    since: input.since ?? null,
    matched,
    replayed,
    skipped: {
      webhook_delivery_replay_limit_reached: limitReached,
      webhook_delivery_not_replayable: notReplayable,
    },
  };
  const content = Buffer.from(`${JSON.stringify(report, null, 2)}\n`);
  await step(async (transaction) => {
    await deleteChunks(transaction, operationId);
    await insertChunk(transaction, operationId, 0, content);
    return { progress: progressOf(counts) };
  });
  return {
    contentType: 'application/json',
    fileName: `delivery-replay-${operationId}.json`,
    byteLength: BigInt(content.byteLength),
  };
}

function startCounts(matched: number): Counts {
  return { matched, replayed: 0, limitReached: 0, notReplayable: 0 };
}

function addCounts(counts: Counts, batch: Omit<Counts, 'matched'>): Counts {
  return {
    matched: counts.matched,
    replayed: counts.replayed + batch.replayed,
    limitReached: counts.limitReached + batch.limitReached,
    notReplayable: counts.notReplayable + batch.notReplayable,
  };
}

function finishedOf({ replayed, limitReached, notReplayable }: Counts): number {
  return replayed + limitReached + notReplayable;
}

function progressOf(counts: Counts) {
  return { completed: BigInt(finishedOf(counts)), total: BigInt(counts.matched), unit: 'deliveries' };
}
