import { type SendResult, sendResults } from '../../chain/node-trust/judge-send.ts';
import { Durations } from '../../shared/metrics/durations.ts';
import { LabelledCounts } from '../../shared/metrics/labelled-counts.ts';
import type { ProcessMetrics } from '../../shared/metrics/process-metrics.ts';
import type { FirstBroadcaster } from './first-broadcaster.ts';

/** Metrics of sends, in the api and in the worker. */
export interface SendMetrics {
  /** A send to all addresses begins, this long after the submission. */
  onFirstSend(sinceSubmissionMs: number): void;
  /** The worker sends: with the time since the submission when the api did not send, null for a resend. */
  onWorkerSend(sinceSubmissionMs: number | null): void;
  /** The result of a send at one address, by its name in the configuration. */
  onSendResult(result: SendResult, address: string): void;
  /** A submission is left to the worker without a send. */
  onLeft(): void;
}

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 15_000, 60_000];

/**
 * Counts and durations of sends.
 * @param addresses names of the addresses that this process sends to, which bound the label
 */
export function createSendMetrics(metrics: ProcessMetrics, addresses: readonly string[]): SendMetrics {
  const sends = new LabelledCounts(metrics, 'launchwire_intent_sends_total', {
    help: 'Sends of submitted transactions to all addresses: first ones (api), those the api left undone (takeover, worker), and resends every 2 s until the intent ends',
    labels: ['send'],
    known: [['first'], ['takeover'], ['resend']],
  });
  const results = new LabelledCounts(metrics, 'launchwire_intent_send_answers_total', {
    help: 'Responses of single addresses to sends; unknown: none, one without a signature, or one of a quarantined node',
    labels: ['answer'],
    known: sendResults.map((result) => [result]),
  });
  const byAddress = new LabelledCounts(metrics, 'launchwire_intent_address_sends_total', {
    help: 'Sends by address, as SOLANA_RPC_URL and SOLANA_SEND_URL name it, and by its response',
    labels: ['address', 'answer'],
    known: addresses.flatMap((address) => sendResults.map((result) => [address, result])),
  });
  const left = new LabelledCounts(metrics, 'launchwire_intent_first_sends_left_total', {
    help: 'Submissions that the api left to the worker without a send, because too many were outstanding or the policy forbids it',
    labels: [],
    known: [[]],
  });
  const latency = new Durations(
    {
      name: 'launchwire_intent_broadcast_seconds',
      help: 'Time from the accepted submission (202) to its first send by the api, or by the worker where the api left it',
      label: 'send',
      boundsMs: BOUNDS_MS,
    },
    ['first', 'takeover'],
  );
  metrics.addDurations(latency);
  const observe = (send: 'first' | 'takeover', sinceSubmissionMs: number) => {
    sends.add(send);
    latency.observe(send, Math.max(0, sinceSubmissionMs));
  };
  return {
    onFirstSend: (sinceSubmissionMs) => observe('first', sinceSubmissionMs),
    onWorkerSend(sinceSubmissionMs) {
      if (sinceSubmissionMs === null) sends.add('resend');
      else observe('takeover', sinceSubmissionMs);
    },
    onSendResult(result, address) {
      results.add(result);
      byAddress.add(address, result);
    },
    onLeft: () => left.add(),
  };
}

/** Gauge of first sends without a response or without a record. */
export function observeFirstSends(metrics: ProcessMetrics, sender: FirstBroadcaster): void {
  metrics.liveGauge(
    'launchwire_intent_first_sends_outstanding',
    'First sends that wait for a response or for their record',
    () => sender.outstanding,
  );
}
