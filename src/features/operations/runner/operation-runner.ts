import type { NatsConnection } from '@nats-io/transport-node';
import type { StepJob } from '../../../db/jobs/job.ts';
import { hints } from '../../../shared/bus/topology.ts';
import { Wakeup } from '../../../shared/loop.ts';
import { RunningWork } from '../../../shared/running-work.ts';
import type { RunnerContext } from './context.ts';
import type { AnyOperationKind } from './kind.ts';
import { claimOperation, isOperationDue } from './lease-rows.ts';
import { runOperation } from './run-operation.ts';

/** Each uses one connection of the pool at a time, and briefly a second one to renew its lease. */
const RUNNING_MAX = 3;

export interface OperationRunnerDependencies {
  context: RunnerContext;
  kinds: readonly AnyOperationKind[];
  connection: NatsConnection;
  /**
   * Called for each claim; `isReclaim` when an earlier run ended without a result or gave the operation back.
   */
  onClaimed?(kind: string, isReclaim: boolean): void;
}

/**
 * The job that runs operations, a few at a time. At the end it gives unfinished ones back. It ignores unknown kinds.
 */
export function operationRunner({
  context,
  kinds: known,
  connection,
  onClaimed,
}: OperationRunnerDependencies): StepJob {
  const kinds = new Map(known.map((kind) => [kind.kind, kind]));
  const wakeup = new Wakeup();
  const running = new RunningWork();
  return {
    name: 'operation-runner',
    wakeup,
    wakesOn: [hints.operations],
    // The admin commands that create operations send no hint.
    isDue: isOperationDue,
    async step(stop) {
      if (running.size >= RUNNING_MAX) return false;
      const claimed = await claimOperation(context.db, [...kinds.keys()], {
        leaseToken: crypto.randomUUID(),
        leaseMs: context.leaseMs,
        now: context.clock.now(),
      });
      const kind = claimed === null ? undefined : kinds.get(claimed.kind);
      if (claimed === null || kind === undefined) return false;
      onClaimed?.(kind.kind, claimed.claimCount > 1);
      connection.publish(hints.statusChanged, claimed.id);
      running.add(runOperation(context, kind, claimed, stop), () => wakeup.wake());
      return true;
    },
    finish: () => running.ended(),
  };
}
