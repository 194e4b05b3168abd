import { ConnectionError } from '../errors.ts';
import { deadline } from '../pause.ts';
import type { WebhookEvent } from '../webhooks/events.ts';
import { secretsIn } from '../webhooks/keys.ts';
import { signWebhook } from '../webhooks/sign.ts';
import { CommandFailed } from './command.ts';
import { UsageError } from './kit/command.ts';
import { type Options, required, text } from './kit/option.ts';
import type { Settings } from './settings.ts';

/** The time that the service waits for a receiver. */
const TIMEOUT_MS = 10_000;
/** What the service follows, and always as the same POST. */
const FOLLOWED_STATUSES: readonly number[] = [301, 302, 307, 308];
const REDIRECTS_MAX = 3;

export interface Forwarded {
  status: number;
  durationMs: number;
}

/**
 * Sends an event to a receiver as the service would, signed with a secret of its own, redirects included. Throws a
 * `ConnectionError`, or a `CommandFailed` for a redirect that the service would not follow.
 */
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
    const status = await followRedirects(url, init);
    return { status, durationMs: Math.round(performance.now() - startedAt) };
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
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

async function followRedirects(url: string, init: RequestInit): Promise<number> {
  let address = url;
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(address, init);
    await response.body?.cancel();
    const { status } = response;
    const location = response.headers.get('location');
    if (!FOLLOWED_STATUSES.includes(status) || location === null) return status;
    if (redirects === REDIRECTS_MAX) {
      const message = `${address} answered ${status}, and the service follows ${REDIRECTS_MAX} redirects at most`;
      throw new CommandFailed(message, 'redirect_limit_exceeded');
    }
    address = redirectTarget(location, address, status);
  }
}

/** @param location each byte a character, as `fetch` reads fields; the service reads it as UTF-8 */
function redirectTarget(location: string, from: string, status: number): string {
  try {
    const bytes = Uint8Array.from(location, (character) => character.charCodeAt(0));
    const target = new URL(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), from);
    if (/^https?:$/.test(target.protocol) && target.username === '' && target.password === '')
      return target.href;
  } catch {
    // Refused below, like an address of another kind.
  }
  throw new CommandFailed(
    `${from} answered ${status} with a Location that the service refuses`,
    'url_disallowed',
  );
}

/** `--forward` of every command that sends to a receiver. */
export const forwarding: Options = {
  forward: text('address of the receiver, or a port of this machine', { ...required, format: 'url' }),
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
