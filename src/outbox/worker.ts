import type { WorkerDoor } from '../db/jobs/job.ts';
import { type OutboxPublisherDependencies, outboxPublisher } from './outbox-publisher.ts';
import { streamUpkeep } from './stream-upkeep.ts';

export interface OutboxJobDependencies extends Omit<OutboxPublisherDependencies, 'onPublished'> {
  metrics: Required<Pick<OutboxPublisherDependencies, 'onPublished'>>;
}

export const outboxWorker = {
  jobs: ({ metrics, ...dependencies }: OutboxJobDependencies) => [
    outboxPublisher({ ...dependencies, onPublished: metrics.onPublished }),
    streamUpkeep(dependencies),
  ],
} satisfies WorkerDoor;
