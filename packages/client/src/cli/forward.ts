import { ConnectionError } from '../errors.ts';
import { deadline } from '../pause.ts';
import type { WebhookEvent } from '../webhooks/events.ts';
import { secretsIn } from '../webhooks/keys.ts';
import { signWebhook } from '../webhooks/sign.ts';
import type { Option } from './command.ts';
import { UsageError } from './failures.ts';
import type { Settings } from './settings.ts';

/** The time that the service waits for a receiver. */
const TIMEOUT_MS = 10_000;

export interface Forwarded {
  status: number;
  durationMs: number;
}

/** Sends an event to a receiver as the service would, signed with a secret of its own. Throws a `ConnectionError`. */
export async function forward(
  url: string,
  secret: string,
  event: WebhookEvent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const signature = await signWebhook(secret, event.id, Math.floor(Date.now() / 1000), body);
  const headers = { 'Content-Type': 'application/cloudevents+json; charset=utf-8', ...signature };
  const limit = deadline(TIMEOUT_MS, signal);
  try {
    const init: RequestInit = { method: 'POST', headers, body, signal: limit.signal, redirect: 'manual' };
    const response = await fetch(url, init);
    await response.body?.cancel();
    return { status: response.status, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (limit.isOver())
      throw new ConnectionError('timeout', `${url} did not answer within ${TIMEOUT_MS / 1000} s`, error);
    throw new ConnectionError(
      'connection_failed',
      `${url} cannot be reached, or broke the connection`,
      error,
    );
  } finally {
    limit.end();
  }
}

/** `--forward` of every command that sends to a receiver. */
export const forwardOption: Option = {
  kind: 'text',
  value: 'URL',
  help: 'address of the receiver, or a port of this machine',
  required: true,
};

/** The address to forward to; a port alone is one on this machine. */
export function forwardAddress(text: string): string {
  const address = /^\d{1,5}$/.test(text) ? `http://127.0.0.1:${text}/` : text;
  if (!/^https?:\/\/[^\s/]/.test(address) || !URL.canParse(address)) {
    throw new UsageError(`--forward is an address like http://127.0.0.1:8000/webhooks, not "${text}"`);
  }
  return address;
}

/** The secret with which listen and trigger sign: that of the environment, or a new one. */
export function signingSecret({ webhookSecret }: Settings): string {
  if (webhookSecret === undefined) return newSecret();
  try {
    if (secretsIn(webhookSecret).length > 0) return webhookSecret;
  } catch (error) {
    throw new UsageError(`LAUNCHWIRE_WEBHOOK_SECRET: ${(error as Error).message}`);
  }
  throw new UsageError('LAUNCHWIRE_WEBHOOK_SECRET holds no secret');
}

/** A secret in the form of the service. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
