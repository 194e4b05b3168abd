import type { NatsConnection } from '@nats-io/transport-node';
import type { RunnerContext } from '../../features/operations/runner/context.ts';
import type { AnyOperationKind } from '../../features/operations/runner/kind.ts';
import { claimOperation, isOperationDue } from '../../features/operations/runner/lease-rows.ts';
import { runOperation } from '../../features/operations/runner/run-operation.ts';
import { hints } from '../../shared/bus/topology.ts';
import { wakeOnHint } from '../../shared/bus/wake-on-hint.ts';
import { runLoop, Wakeup } from '../../shared/loop.ts';
import { RunningWork } from '../../shared/running-work.ts';
import { DUE_FALLBACK_MS, type DueWork } from './due-work.ts';

/** Each uses one connection of the pool at a time, and briefly a second one to renew its lease. */
const RUNNING_MAX = 3;

export interface OperationRunnerJobDependencies {
  context: RunnerContext;
  kinds: readonly AnyOperationKind[];
  connection: NatsConnection;
  dueWork: DueWork;
  signal: AbortSignal;
  /**
   * Called for each claim; `isReclaim` when an earlier run ended without a result or gave the operation back.
   */
  onClaimed?(kind: string, isReclaim: boolean): void;
}

/**
 * Runs operations, a few at a time, until the signal aborts; then gives unfinished ones back. It ignores
 * unknown kinds.
 */
export async function runOperationRunner(dependencies: OperationRunnerJobDependencies): Promise<void> {
  const { context, connection, signal } = dependencies;
  const kinds = new Map(dependencies.kinds.map((kind) => [kind.kind, kind]));
  const wakeup = new Wakeup();
  const unsubscribe = wakeOnHint(connection, hints.operations, wakeup);
  // The admin commands that create operations send no hint.
  const unwatch = dependencies.dueWork.watch(isOperationDue, wakeup);
  const running = new RunningWork();
  await runLoop({
    name: 'operation-runner',
    log: context.log,
    signal,
    wakeup,
    idleMs: DUE_FALLBACK_MS,
    async step(stop) {
      if (running.size >= RUNNING_MAX) return false;
      const claimed = await claimOperation(context.db, [...kinds.keys()], {
        leaseToken: crypto.randomUUID(),
        leaseMs: context.leaseMs,
        now: context.clock.now(),
      });
      const kind = claimed === null ? undefined : kinds.get(claimed.kind);
      if (claimed === null || kind === undefined) return false;
      dependencies.onClaimed?.(kind.kind, claimed.claimCount > 1);
      connection.publish(hints.statusChanged, claimed.id);
      running.add(runOperation(context, kind, claimed, stop), () => wakeup.wake());
      return true;
    },
  });
  unwatch();
  unsubscribe();
  await running.ended();
}
