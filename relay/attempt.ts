import type { KeyObject } from 'node:crypto';
import type { Clock } from '../src/shared/clock.ts';
import type { Logger } from '../src/shared/log.ts';
import type { SecretBox } from '../src/shared/secret-box.ts';
import { openWebhookSecret, parseWebhookSecret } from '../src/shared/webhooks/secret.ts';
import type { Claim, ClaimedEndpoint } from './claim.ts';
import { classify } from './classify.ts';
import type { Outcome } from './outcome.ts';
import type { AttemptResult } from './record.ts';
import { nextStep } from './schedule.ts';
import { type Sender, send } from './send.ts';
import { signatureHeaders } from './sign.ts';

export interface AttemptDependencies {
  sender: Sender;
  secretBox: SecretBox;
  signingKey: KeyObject;
  scheduleMs: readonly number[];
  clock: Clock;
  random(): number;
  log: Logger;
  /** Of the running release, for `User-Agent`. */
  version: string;
}

/** Signs, sends and judges one claimed delivery. Never rejects: whatever goes wrong is a failed attempt. */
export async function attempt(
  dependencies: AttemptDependencies,
  claim: Claim,
  body: Uint8Array,
): Promise<{ result: AttemptResult; outcome: Outcome }> {
  const { sender, clock, scheduleMs, random } = dependencies;
  const { outcome, trace } = await sendSigned(dependencies, claim, body, sender);
  const verdict = classify(outcome, clock.now());
  const step = nextStep(verdict, claim.scheduleIndex, scheduleMs, random());
  return { result: { claim, verdict, trace, step }, outcome };
}

async function sendSigned(
  dependencies: AttemptDependencies,
  claim: Claim,
  body: Uint8Array,
  sender: Sender,
): ReturnType<typeof send> {
  const { endpoint, eventId, deliveryId, attemptNumber } = claim;
  let headers: Record<string, string>;
  try {
    headers = signedHeaders(dependencies, claim, body);
  } catch (err) {
    // Only a wrong SECRET_KEY gets here: an operator's mistake that must be seen, and heals by retrying.
    dependencies.log.error(
      { err, endpointId: endpoint.id, deliveryId, eventId, attemptNumber },
      'attempt.unsigned',
    );
    return unsent('the message could not be signed');
  }
  return await send(sender, { endpointId: endpoint.id, url: endpoint.url, headers, body });
}

function signedHeaders(
  { secretBox, signingKey, clock, version }: AttemptDependencies,
  { endpoint, eventId, deliveryId, attemptNumber }: Claim,
  body: Uint8Array,
): Record<string, string> {
  const timestampSeconds = Math.floor(clock.now().getTime() / 1000);
  return {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'accept-encoding': 'identity',
    'user-agent': `Launchwire-Relay/${version}`,
    ...signatureHeaders({ id: eventId, timestampSeconds, body }, hmacKeys(secretBox, endpoint), signingKey),
    'launchwire-delivery-id': deliveryId,
    'launchwire-attempt': String(attemptNumber),
  };
}

/** Keys of the live secrets, newest first. */
function hmacKeys(secretBox: SecretBox, endpoint: ClaimedEndpoint): Uint8Array[] {
  return [endpoint.sealedSecret, endpoint.sealedPreviousSecret].flatMap((sealed) =>
    sealed === null ? [] : [parseWebhookSecret(openWebhookSecret(secretBox, endpoint.id, sealed))],
  );
}

function unsent(detail: string): Awaited<ReturnType<typeof send>> {
  return {
    outcome: { kind: 'failed', code: 'network_error', detail, status: null },
    trace: {
      resolvedAddress: null,
      redirectCount: 0,
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
