import type { Clock } from '../../src/shared/clock.ts';
import type { Logger } from '../../src/shared/log.ts';
import type { SecretBox } from '../../src/shared/secret-box.ts';
import { formatTraceparent } from '../../src/shared/tracing/trace-context.ts';
import type { Tracing } from '../../src/shared/tracing/tracing.ts';
import { openWebhookSecret, parseWebhookSecret } from '../../src/shared/webhooks/secret.ts';
import type { EndpointCache } from '../endpoints/endpoint-cache.ts';
import type { FailingCandidates } from '../endpoints/failing-candidates.ts';
import type { AttemptResult } from '../model/attempt-result.ts';
import type { Claim, ClaimedEndpoint } from '../model/claim.ts';
import { MISSING_EVENT, type StoredEvent } from '../model/event.ts';
import type { AttemptTrace, Outcome, UnsentCause } from '../model/outcome.ts';
import { classify } from '../results/classify-outcome.ts';
import { nextStep } from '../results/retry-schedule.ts';
import { logAttempt } from '../telemetry/attempt-log.ts';
import type { Counters } from '../telemetry/counters.ts';
import { recordAttemptSpan } from '../telemetry/spans.ts';
import { type Sender, send } from './send.ts';
import type { Signer } from './sign.ts';

export interface AttemptsDependencies {
  sender: Sender;
  secretBox: SecretBox;
  signer: Signer;
  scheduleMs: readonly number[];
  cache: EndpointCache;
  failing: FailingCandidates;
  counters: Counters;
  clock: Clock;
  random(): number;
  log: Logger;
  /** The running release, for `User-Agent`. */
  version: string;
  tracing: Tracing | undefined;
}

/** An attempt whose result is not written yet. Times are monotonic. */
export interface EndedAttempt {
  result: AttemptResult;
  tookMs: number;
  endedAtMs: number;
  /** To be called when the pause that the response asks for is recorded; null if it asks for none. */
  onPauseRecorded: (() => void) | null;
}

/** The two steps that first and later attempts have in common. */
export class Attempts {
  readonly #dependencies: AttemptsDependencies;

  constructor(dependencies: AttemptsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Makes an attempt in a slot, and frees the slot. A pause that the response asks for is in memory before the database
   * has it, because deliveries that wait must not be sent meanwhile. Never rejects.
   */
  async make(claim: Claim, event: StoredEvent, release: (endMs: number) => void): Promise<EndedAttempt> {
    const startedAtMs = performance.now();
    const result = await attempt(this.#dependencies, claim, event);
    const endedAtMs = performance.now();
    release(endedAtMs);
    const onPauseRecorded = this.#pause(result, endedAtMs);
    return { result, tookMs: endedAtMs - startedAtMs, endedAtMs, onPauseRecorded };
  }

  /**
   * Counts and logs an attempt when its result is written.
   *
   * @param written resolves with whether the result decided its delivery; this is also returned
   */
  async settle({ result, onPauseRecorded }: EndedAttempt, written: Promise<boolean>): Promise<boolean> {
    const { failing, counters, log } = this.#dependencies;
    const decided = await written.finally(() => onPauseRecorded?.());
    const { claim, verdict } = result;
    if (!verdict.succeeded && verdict.wasSent) failing.add(claim.endpoint.id, performance.now());
    counters.countAttempt(result, decided);
    logAttempt(log, result, decided);
    return decided;
  }

  #pause({ claim, verdict: { gone, pauseMs } }: AttemptResult, nowMs: number): (() => void) | null {
    if (!gone && pauseMs === null) return null;
    const untilMs = gone ? Number.POSITIVE_INFINITY : nowMs + (pauseMs ?? 0);
    return this.#dependencies.cache.pause(claim.endpoint.id, untilMs);
  }
}

/** Signs and sends a delivery and classifies the outcome. Never rejects: errors are failed attempts. */
async function attempt(
  dependencies: AttemptsDependencies,
  claim: Claim,
  event: StoredEvent,
): Promise<AttemptResult> {
  const { sender, clock, scheduleMs, random, tracing } = dependencies;
  const startedAtMs = performance.now();
  const span = tracing?.childOf(event.traceparent) ?? null;
  // If the attempt has no span, it passes on the trace context of the event.
  const traceparent = span === null ? event.traceparent : formatTraceparent(span.context);
  const { outcome, trace } = await sendSigned(dependencies, claim, { body: event.body, traceparent }, sender);
  const verdict = classify(outcome, clock.now());
  const step = nextStep(verdict, claim, scheduleMs, random());
  const errorDetail = outcome.kind === 'responded' ? null : outcome.detail;
  const endedAtMs = performance.now();
  const result = { claim, verdict, errorDetail, trace, step, startedAtMs, endedAtMs };
  if (tracing !== undefined && span !== null) recordAttemptSpan(tracing, span, startedAtMs, result);
  return result;
}

async function sendSigned(
  dependencies: AttemptsDependencies,
  claim: Claim,
  event: StoredEvent,
  sender: Sender,
): Promise<{ outcome: Outcome; trace: AttemptTrace }> {
  const { endpoint, eventId, deliveryId, attemptNumber } = claim;
  if (event.body === MISSING_EVENT.body) {
    // The schedule goes on, because the row may come back, for example from a detached partition.
    dependencies.log.error(
      { endpointId: endpoint.id, deliveryId, eventId, attemptNumber },
      'attempt.without_event',
    );
    return unsent(
      { code: 'network_error', reason: 'event_missing' },
      'the event of this delivery is missing in the database',
    );
  }
  let headers: Record<string, string>;
  try {
    headers = signedHeaders(dependencies, claim, event);
  } catch (err) {
    // SECRET_KEY is wrong, or SECRET_KEY_PREVIOUS was removed too early. When the operator has corrected it, the next
    // attempt succeeds. Until then the delivery waits (results/retry-schedule.ts).
    dependencies.log.error(
      { err, endpointId: endpoint.id, deliveryId, eventId, attemptNumber },
      'attempt.unsigned',
    );
    return unsent({ code: 'signing_failed', reason: null }, 'the message could not be signed');
  }
  const { id: endpointId, accountId, url } = endpoint;
  return await send(sender, { accountId, endpointId, url, headers, body: event.body });
}

function signedHeaders(
  { secretBox, signer, clock, version }: AttemptsDependencies,
  { endpoint, eventId, deliveryId, attemptNumber }: Claim,
  { body, traceparent }: StoredEvent,
): Record<string, string> {
  const now = clock.now();
  const timestampSeconds = Math.floor(now.getTime() / 1000);
  const keys = hmacKeys(secretBox, endpoint, now);
  return {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'accept-encoding': 'identity',
    'user-agent': `Launchwire-Relay/${version}`,
    ...signer.headers({ id: eventId, endpointId: endpoint.id, timestampSeconds, body }, keys),
    'launchwire-delivery-id': deliveryId,
    'launchwire-attempt': String(attemptNumber),
    ...(traceparent === null ? {} : { traceparent }),
  };
}

/**
 * Opened keys by the sealed bytes, for as long as these are in memory, because opening a secret costs more than a
 * signature. A rotated secret has other bytes.
 */
const openedKeys = new WeakMap<Uint8Array, Uint8Array>();

/** Keys of the active secrets, newest first; the previous one until the overlap of its rotation ends. */
function hmacKeys(secretBox: SecretBox, endpoint: ClaimedEndpoint, now: Date): Uint8Array[] {
  const { sealedSecret, sealedPreviousSecret, previousSecretExpiresAt } = endpoint;
  const isOverlapping = previousSecretExpiresAt !== null && now < previousSecretExpiresAt;
  return [sealedSecret, isOverlapping ? sealedPreviousSecret : null].flatMap((sealed) =>
    sealed === null ? [] : [openedKey(secretBox, endpoint.id, sealed)],
  );
}

function openedKey(secretBox: SecretBox, endpointId: string, sealed: Uint8Array): Uint8Array {
  const known = openedKeys.get(sealed);
  if (known !== undefined) return known;
  const key = parseWebhookSecret(openWebhookSecret(secretBox, endpointId, sealed));
  openedKeys.set(sealed, key);
  return key;
}

function unsent(cause: UnsentCause, detail: string): { outcome: Outcome; trace: AttemptTrace } {
  return {
    outcome: { kind: 'unsent', cause, detail },
    trace: {
      resolvedAddress: null,
      redirectCount: 0,
      hopOrigin: null,
      connectionReused: false,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      totalMs: 0,
      bodyStart: null,
    },
  };
}
