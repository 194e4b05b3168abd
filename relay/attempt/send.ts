import { publishedLimits } from '../../src/shared/contract-limits.ts';
import type { LookupOwner, Resolver } from '../../src/shared/dns/resolver.ts';
import { rememberTexts } from '../../src/shared/remember-texts.ts';
import { REMEMBERED_URLS } from '../../src/shared/webhooks/remember-verdicts.ts';
import { type Destination, resolveDestination } from '../../src/shared/webhooks/resolve.ts';
import type { UrlPolicy } from '../../src/shared/webhooks/url-policy.ts';
import type { AttemptTrace, SendOutcome } from '../model/outcome.ts';
import { AttemptFailure, storableDetail } from './attempt-failure.ts';
import type { ConnectionPool } from './connection-pool.ts';
import type { HttpResponse, Phases } from './http-connection.ts';
import { postToAddress } from './post-to-address.ts';

export interface Sender {
  connections: ConnectionPool;
  policy: UrlPolicy;
  resolve: Resolver;
  deadlineMs: number;
}

export interface Message {
  accountId: string;
  endpointId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

const REDIRECTS_MAX: number = publishedLimits.webhookRedirects;
/** The redirects that are followed, always with the same method and bytes (contract/delivery#redirects). */
const FOLLOWED_STATUSES: readonly number[] = [301, 302, 307, 308];

interface Progress {
  redirectCount: number;
  /** Target of the current request, without user, path and query; null if the URL is invalid. */
  hopOrigin: string | null;
  /** The sum over all hops. */
  dnsMs: number | null;
  phases: Phases | null;
  /** The first bytes of the response of the current hop. */
  bodyStart: Uint8Array | null;
}

/**
 * Sends a message with one deadline for all hops, follows redirects and checks every destination. Never rejects,
 * because every failure is an outcome.
 */
export async function send(
  sender: Sender,
  message: Message,
): Promise<{ outcome: SendOutcome; trace: AttemptTrace }> {
  const startMs = performance.now();
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new AttemptFailure(
        { code: 'request_timeout', reason: null },
        `no complete response within ${sender.deadlineMs} ms`,
      ),
    );
  }, sender.deadlineMs);
  const hopOrigin = originOfUrl(message.url);
  const progress: Progress = { redirectCount: 0, hopOrigin, dnsMs: null, phases: null, bodyStart: null };
  let outcome: SendOutcome;
  try {
    const response = await followRedirects(sender, message, controller.signal, progress);
    outcome = { kind: 'responded', status: response.status, retryAfter: response.retryAfter };
  } catch (error) {
    outcome = failedOutcome(error, progress);
  } finally {
    clearTimeout(timer);
  }
  return { outcome, trace: traceOf(progress, performance.now() - startMs) };
}

async function followRedirects(
  sender: Sender,
  { accountId, endpointId, url, headers, body }: Message,
  signal: AbortSignal,
  progress: Progress,
): Promise<HttpResponse> {
  let text = url;
  for (;;) {
    const destination = await resolveChecked(sender, text, { accountId, endpointId }, signal, progress);
    const isRedirect = progress.redirectCount > 0;
    const response = await postToAddress(
      { endpointId, destination, isRedirect, headers, body },
      sender.connections,
      signal,
      (phases) => {
        progress.phases = phases;
      },
    );
    progress.bodyStart = response.bodyStart;
    if (!FOLLOWED_STATUSES.includes(response.status) || response.location === null) return response;
    if (progress.redirectCount === REDIRECTS_MAX) {
      throw new AttemptFailure(
        { code: 'redirect_limit_exceeded', reason: null },
        `responded with ${response.status}, at most ${REDIRECTS_MAX} redirects are followed`,
        response.status,
      );
    }
    const target = redirectTarget(response.location, destination.url, response.status);
    progress.redirectCount += 1;
    progress.bodyStart = null;
    progress.hopOrigin = originOf(target);
    text = target.href;
  }
}

/** Resolves a hop's destination and checks it against the URL policy. */
async function resolveChecked(
  { policy, resolve }: Sender,
  text: string,
  owner: LookupOwner,
  signal: AbortSignal,
  progress: Progress,
): Promise<Destination> {
  const startMs = performance.now();
  const judged = resolveDestination(text, policy, resolve, owner);
  const destination = judged instanceof Promise ? await untilAborted(judged, signal) : judged;
  progress.dnsMs = (progress.dnsMs ?? 0) + performance.now() - startMs;
  if (destination.allowed === 'unresolved') {
    const { reason, detail } = destination;
    throw new AttemptFailure({ code: 'dns_error', reason }, detail);
  }
  if (!destination.allowed) {
    const { reason, detail, operatorDetail = detail } = destination;
    throw new AttemptFailure({ code: 'url_disallowed', reason }, `${reason}: ${operatorDetail}`);
  }
  return destination;
}

/** Longer than any host that the URL policy allows. A response may name a longer one. */
const ORIGIN_LENGTH_MAX = 300;

/** Null for a text that is no URL. Remembered, because every attempt needs it and parsing a URL takes some µs. */
const originOfUrl = rememberTexts((text) => {
  const url = URL.parse(text);
  return url && originOf(url);
}, REMEMBERED_URLS);

/** `URL.origin` would be "null" for some schemes that a response may name. */
function originOf({ protocol, host }: URL): string {
  return storableDetail(`${protocol}//${host}`).slice(0, ORIGIN_LENGTH_MAX).toWellFormed();
}

/** @param location the unparsed header, each byte a character */
function redirectTarget(location: string, base: URL, status: number): URL {
  const text = utf8Of(location);
  const target = text === null ? null : URL.parse(text, base.href);
  if (!target) {
    throw new AttemptFailure(
      { code: 'url_disallowed', reason: 'location_invalid' },
      `responded with ${status} and a Location that is no ${text === null ? 'UTF-8' : 'URL'}`,
      status,
    );
  }
  // A fragment in Location is for the client only, and not a part of the request.
  target.hash = '';
  return target;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Browsers read a Location as UTF-8. Read as latin1, it would name another path, or even another host. */
function utf8Of(bytes: string): string | null {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return null;
  }
}

/** Rejects when the signal aborts. The work goes on, because other attempts share a look-up. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function failedOutcome(error: unknown, { redirectCount, hopOrigin, phases }: Progress): SendOutcome {
  const failure =
    error instanceof AttemptFailure
      ? error
      : new AttemptFailure({ code: 'network_error', reason: 'other' }, `unexpected: ${String(error)}`);
  const where = redirectCount === 0 ? '' : `redirect ${redirectCount} to ${hopOrigin}: `;
  const detail = storableDetail(where + failure.message);
  const { code, reason } = failure;
  const status = failure.status ?? phases?.unfinished?.status ?? null;
  return { kind: 'failed', code, reason, detail, status };
}

function traceOf(
  { redirectCount, hopOrigin, dnsMs, phases, bodyStart }: Progress,
  totalMs: number,
): AttemptTrace {
  const connectedMs = phases?.connectedMs ?? null;
  const readyMs = phases?.securedMs ?? connectedMs ?? phases?.startMs ?? null;
  return {
    resolvedAddress: phases?.address ?? null,
    redirectCount,
    hopOrigin,
    connectionReused: phases?.reused ?? false,
    dnsMs: wholeMs(dnsMs),
    connectMs: difference(connectedMs, phases?.startMs ?? null),
    tlsMs: difference(phases?.securedMs ?? null, connectedMs),
    firstByteMs: difference(phases?.firstByteMs ?? null, readyMs),
    totalMs: Math.round(totalMs),
    bodyStart: bodyStart ?? phases?.unfinished?.bodyStart ?? null,
  };
}

function difference(endMs: number | null, startMs: number | null): number | null {
  return endMs === null || startMs === null ? null : wholeMs(endMs - startMs);
}

function wholeMs(durationMs: number | null): number | null {
  return durationMs === null ? null : Math.round(durationMs);
}
