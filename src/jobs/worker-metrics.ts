import type { NatsConnection } from '@nats-io/transport-node';
import { type SendAnswer, sendAnswers } from '../chain/send-transaction.ts';
import type { Database } from '../db/client.ts';
import { observeDatabase } from '../db/observation.ts';
import { readDefaultPartitionRows } from '../db/partitions.ts';
import { intentErrorCodes } from '../db/schema/transaction-intents.ts';
import type { EndedIntent } from '../features/transaction-intents/finish.ts';
import { readOutboxBacklog } from '../outbox/backlog.ts';
import { readConsumerLag } from '../shared/bus/consumer-lag.ts';
import type { Clock } from '../shared/clock.ts';
import { type EventName, eventCatalogue, eventType } from '../shared/events/catalogue.ts';
import { Durations } from '../shared/metrics/durations.ts';
import { LabelledCounts } from '../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../shared/metrics/process-metrics.ts';
import { readBroadcastDelay } from './broadcast-delay.ts';
import type { SettledMessage } from './ingest.ts';
import { IngestCounts } from './ingest-metrics.ts';

/** What the loops of the worker report. */
export interface WorkerMetrics {
  onPublished(types: readonly string[]): void;
  onSettled(settled: SettledMessage): void;
  onSend(sinceSubmissionMs: number | null): void;
  onSendAnswer(answer: SendAnswer): void;
  onIntentsEnded(ended: readonly EndedIntent[]): void;
  onOperationClaimed(kind: string, isReclaim: boolean): void;
}

const eventNames = Object.keys(eventCatalogue) as EventName[];
/** The kinds of operation-work.ts. */
const runKinds = ['audience_export', 'delivery_replay'];
const BROADCAST_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000];
const CONFIRMATION_BOUNDS_MS = [
  250, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 45_000, 90_000, 180_000, 600_000,
];

/** Counts what the loops report; labels are names of our own: event types, kinds, statuses, result codes. */
export function createWorkerMetrics(metrics: ProcessMetrics, clock: Clock): WorkerMetrics {
  const published = new LabelledCounts(metrics, 'launchwire_events_published_total', {
    help: 'Events that the broker has taken, by type: every transition that the platform announces',
    labels: ['type'],
    known: eventNames.map((name) => [eventType(name)]),
  });
  const sends = new LabelledCounts(metrics, 'launchwire_intent_sends_total', {
    help: 'Sends of submitted transactions to all nodes: first ones, and resends every 2 s until a status is seen',
    labels: ['send'],
    known: [['first'], ['resend']],
  });
  const answers = new LabelledCounts(metrics, 'launchwire_intent_send_answers_total', {
    help: 'Answers of single nodes to sends; unknown: none, one without a signature, or one of a quarantined node',
    labels: ['answer'],
    known: sendAnswers.map((answer) => [answer]),
  });
  const ended = new LabelledCounts(metrics, 'launchwire_intents_ended_total', {
    help: 'Transaction intents that ended, by status and result code (empty without one)',
    labels: ['status', 'code'],
    known: [['confirmed', ''], ['expired', ''], ...intentErrorCodes.map((code) => ['failed', code])],
  });
  const claims = new LabelledCounts(metrics, 'launchwire_operation_claims_total', {
    help: 'Operations taken up: first claims, and reclaims after a lease ended or work was given back',
    labels: ['kind', 'claim'],
    known: runKinds.flatMap((kind) => [
      [kind, 'first'],
      [kind, 'reclaim'],
    ]),
  });
  const ingest = new IngestCounts(metrics, clock);
  const broadcastLatency = new Durations(
    {
      name: 'launchwire_intent_broadcast_seconds',
      help: 'Time from the accepted submission (202) to the first send',
      label: 'send',
      boundsMs: BROADCAST_BOUNDS_MS,
    },
    ['first'],
  );
  const confirmationLatency = new Durations(
    {
      name: 'launchwire_intent_completion_seconds',
      help: 'Time from the accepted submission to the end of the intent, by final status',
      label: 'status',
      boundsMs: CONFIRMATION_BOUNDS_MS,
    },
    ['confirmed', 'failed'],
  );
  metrics.addDurations(broadcastLatency);
  metrics.addDurations(confirmationLatency);

  return {
    onPublished: (types) => {
      for (const type of types) published.add(type);
    },
    onSettled: (settled) => ingest.add(settled),
    onSend(sinceSubmissionMs) {
      sends.add(sinceSubmissionMs === null ? 'resend' : 'first');
      if (sinceSubmissionMs !== null) broadcastLatency.observe('first', Math.max(0, sinceSubmissionMs));
    },
    onSendAnswer: (answer) => answers.add(answer),
    onIntentsEnded(intents) {
      for (const { status, errorCode, submittedAt, completedAt } of intents) {
        ended.add(status, errorCode ?? '');
        if (submittedAt !== null && completedAt !== null)
          confirmationLatency.observe(status, Math.max(0, completedAt.getTime() - submittedAt.getTime()));
      }
    },
    onOperationClaimed: (kind, isReclaim) => claims.add(kind, isReclaim ? 'reclaim' : 'first'),
  };
}

export interface WorkerSources {
  /** The pool of the process: how long it takes is what is measured. */
  database: Database;
  /** With a statement timeout of its own. */
  scrapeDatabase: Database;
  /** Null until the broker was reached. */
  connection(): NatsConnection | null;
}

/** Gauges of the worker that have to be asked for. */
export function observeWorkerBacklogs(
  metrics: ProcessMetrics,
  { database, scrapeDatabase, connection }: WorkerSources,
): void {
  observeDatabase(metrics, database);
  const size = metrics.gauge('launchwire_outbox_events', 'Unpublished events, counted up to 10,000');
  const age = metrics.gauge('launchwire_outbox_oldest_seconds', 'Age of the oldest unpublished event');
  metrics.addSource({
    name: 'outbox',
    gauges: [size, age],
    async load() {
      const { count, oldestAgeSeconds } = await readOutboxBacklog(scrapeDatabase);
      return () => {
        size.set(count);
        age.set(oldestAgeSeconds);
      };
    },
  });
  const delay = metrics.gauge(
    'launchwire_intent_broadcast_overdue_seconds',
    'How long the most overdue send of a submitted transaction has been due',
  );
  metrics.addSource({
    name: 'intent_broadcasts',
    gauges: [delay],
    async load() {
      const seconds = await readBroadcastDelay(scrapeDatabase);
      return () => delay.set(seconds);
    },
  });
  observePartitions(metrics, scrapeDatabase);
  observeConsumers(metrics, connection);
}

function observePartitions(metrics: ProcessMetrics, scrapeDatabase: Database): void {
  const rows = metrics.gauge(
    'launchwire_default_partition_rows',
    'Rows that no partition was made for, by table, counted up to 10,000',
    ['table'],
  );
  metrics.addSource({
    name: 'default_partitions',
    gauges: [rows],
    async load() {
      const counts = await readDefaultPartitionRows(scrapeDatabase);
      return () => {
        for (const [table, count] of counts) rows.set(count, { table });
      };
    },
  });
}

function observeConsumers(metrics: ProcessMetrics, connection: WorkerSources['connection']): void {
  const pending = metrics.gauge(
    'launchwire_jetstream_pending',
    'Messages nobody has taken yet, by consumer',
    ['consumer'],
  );
  const unacknowledged = metrics.gauge(
    'launchwire_jetstream_unacknowledged',
    'Messages that are worked on or wait for another try, by consumer',
    ['consumer'],
  );
  metrics.addSource({
    name: 'jetstream',
    gauges: [pending, unacknowledged],
    async load() {
      const current = connection();
      if (current === null) throw new Error('not connected yet');
      const lags = await readConsumerLag(current);
      return () => {
        for (const lag of lags) {
          pending.set(lag.pending, { consumer: lag.name });
          unacknowledged.set(lag.unacknowledged, { consumer: lag.name });
        }
      };
    },
  });
}
