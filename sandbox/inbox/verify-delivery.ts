import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { ReceivedDelivery } from './received-deliveries.ts';

const SHOWN_CHARACTERS_MAX = 200;

/** Verifies one request to the webhook address with the library that subscribers use. */
export function verifyDelivery(body: string, headers: Headers, secret: string, now: Date): ReceivedDelivery {
  const id = shortened(headers.get('webhook-id')) ?? '(no webhook-id)';
  const facts = {
    id,
    receivedAt: now.toISOString(),
    deliveryId: shortened(headers.get('launchwire-delivery-id')),
    attempt: attemptOf(headers),
    copies: 1,
  };
  const problem = verificationProblem(body, headers, secret);
  const event = parse(body);
  const attributes = problem === null ? attributesOf(event) : { type: null, subject: null, time: null };
  return { ...facts, ...attributes, verified: problem === null, problem, event };
}

function verificationProblem(body: string, headers: Headers, secret: string): string | null {
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers.entries()), { jsonParse: false });
    return null;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message;
    throw error;
  }
}

function attributesOf(event: unknown) {
  const { type, subject, time } = (event ?? {}) as Record<string, unknown>;
  return { type: text(type), subject: text(subject), time: text(time) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return shortened(body);
  }
}

function attemptOf(headers: Headers): number | null {
  const attempt = Number(headers.get('launchwire-attempt') ?? Number.NaN);
  return Number.isSafeInteger(attempt) ? attempt : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function shortened(value: string | null): string | null {
  return value === null ? null : value.slice(0, SHOWN_CHARACTERS_MAX);
}
