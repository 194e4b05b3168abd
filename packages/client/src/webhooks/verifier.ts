import { shareClass } from '../shared-class.ts';
import type { WebhookEvent } from './events.ts';
import {
  type Bytes,
  canonicalBase64,
  ed25519Key,
  hmacKey,
  publicKeysIn,
  secretsIn,
  signedContent,
} from './keys.ts';
import type { KeyTexts, PublicKeySource } from './public-keys.ts';

export interface VerifierOptions {
  /**
   * `whsec_…` secrets: the newest, and during the overlap of a rotation the previous one, in a list or in one text with
   * white space between them, as a variable of the environment holds them. A function is called at every delivery.
   */
  secrets?: KeyTexts | (() => KeyTexts | Promise<KeyTexts>) | undefined;
  /** `whpk_…` keys of the endpoint, for receivers without a secret; or their source, see `remotePublicKeys`. */
  publicKeys?: KeyTexts | PublicKeySource | undefined;
  /** How many seconds the timestamp may differ from this clock. 300 by default. */
  toleranceSeconds?: number | undefined;
  /** The clock in milliseconds. */
  now?: (() => number) | undefined;
}

/** Headers: a `Headers` object, or an object with names in upper or lower case. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReceivedWebhook {
  /** Deduplicate by it: the same on every attempt and replay. */
  id: string;
  /** When this attempt was signed. */
  signedAt: Date;
  event: WebhookEvent;
}

export interface WebhookVerifier {
  /**
   * The event of a genuine delivery. `body` is the received body, byte for byte: JSON that was parsed and written again
   * has other bytes. Throws a `WebhookVerificationError` for anything else that can be received, a missing body
   * included: respond with 400. Other errors are those of a function or source that the options name.
   */
  verify(
    body: string | Uint8Array,
    headers: HeadersLike,
    options?: { signal?: AbortSignal },
  ): Promise<ReceivedWebhook>;
}

export type VerificationFailure =
  | 'header_missing'
  | 'header_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_invalid'
  | 'body_malformed';

/** The request is not a genuine delivery of this service. */
export class WebhookVerificationError extends Error {
  static {
    shareClass(WebhookVerificationError, 'WebhookVerificationError');
  }
  override readonly name = 'WebhookVerificationError';
  readonly code: VerificationFailure;

  constructor(code: VerificationFailure, message: string) {
    super(message);
    this.code = code;
  }
}

/** The service sends at most two for each of its keys; the rest of a longer list is ignored. */
const SIGNATURES_MAX = 16;
const DEFAULT_TOLERANCE_SECONDS = 300;
const NAMES = { id: 'webhook-id', timestamp: 'webhook-timestamp', signature: 'webhook-signature' } as const;

/**
 * A verifier of deliveries. Accepts a delivery when one signature is valid under one of the keys. Throws a TypeError
 * when there is no key, or a malformed one.
 */
export function webhookVerifier(options: VerifierOptions): WebhookVerifier {
  const { secrets = [], publicKeys = [], now = Date.now } = options;
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS } = options;
  const knownSecrets = typeof secrets === 'function' ? secrets : secretsIn(secrets);
  const knownPublicKeys = isSource(publicKeys) ? publicKeys : publicKeysIn(publicKeys);
  if (isNothing(knownSecrets) && isNothing(knownPublicKeys))
    throw new TypeError('a verifier needs secrets or publicKeys');
  return {
    async verify(body, headers, { signal } = {}) {
      const bytes = bytesOf(body);
      const id = readHeader(headers, NAMES.id);
      const timestamp = readHeader(headers, NAMES.timestamp);
      // Whole seconds, as the libraries of Standard Webhooks count.
      checkTimestamp(timestamp, Math.floor(now() / 1000), toleranceSeconds);
      const content = signedContent(id, timestamp, bytes);
      const signatures = parseSignatures(readHeader(headers, NAMES.signature));
      const isGenuine =
        (await matchesSecret(knownSecrets, signatures.v1, content)) ||
        (await matchesPublicKey(knownPublicKeys, signatures.v1a, content, signal));
      if (!isGenuine) throw new WebhookVerificationError('signature_invalid', 'no signature is valid');
      return { id, signedAt: new Date(Number(timestamp) * 1000), event: parseEvent(bytes) };
    },
  };
}

/** A request without a body, or one that was parsed, is what a stranger can send: it is no fault of the caller. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  // Not `instanceof Uint8Array`: bytes may come from another realm.
  if (ArrayBuffer.isView(body) && !(body instanceof DataView)) return body as Uint8Array;
  const advice = 'the body is no text and no bytes: pass it as it was received, before anything parses it';
  throw new WebhookVerificationError('body_malformed', advice);
}

/** Web Crypto compares in constant time. */
async function matchesSecret(
  secrets: readonly Bytes[] | (() => KeyTexts | Promise<KeyTexts>),
  signatures: readonly Bytes[],
  content: Bytes,
): Promise<boolean> {
  for (const secret of typeof secrets === 'function' ? secretsIn(await secrets()) : secrets) {
    const key = await hmacKey(secret);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, content)) return true;
    }
  }
  return false;
}

async function matchesPublicKey(
  keys: readonly Bytes[] | PublicKeySource,
  signatures: readonly Bytes[],
  content: Bytes,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (isNothing(keys) || signatures.length === 0) return false;
  if (!isSource(keys)) return verifyAny(keys, signatures, content);
  if (await verifyAny(publicKeysIn(await keys.keys(false, signal)), signatures, content)) return true;
  return verifyAny(publicKeysIn(await keys.keys(true, signal)), signatures, content);
}

async function verifyAny(
  keys: readonly Bytes[],
  signatures: readonly Bytes[],
  content: Bytes,
): Promise<boolean> {
  for (const publicKey of keys) {
    const key = await ed25519Key(publicKey);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('Ed25519', key, signature, content)) return true;
    }
  }
  return false;
}

function isNothing(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isSource(keys: KeyTexts | readonly Bytes[] | PublicKeySource): keys is PublicKeySource {
  return typeof keys === 'object' && keys !== null && !Array.isArray(keys);
}

function readHeader(headers: HeadersLike, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : fieldOf(headers, name);
  if (value === undefined || value === null || value === '') {
    throw new WebhookVerificationError('header_missing', `the header ${name} is missing`);
  }
  if (typeof value !== 'string')
    throw new WebhookVerificationError('header_malformed', `${name} came several times`);
  return value;
}

function fieldOf(
  headers: Exclude<HeadersLike, Headers>,
  name: string,
): string | readonly string[] | undefined {
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? [value] : [],
  );
  return values.length > 1 ? values.flat() : values[0];
}

function isHeaders(headers: HeadersLike): headers is Headers {
  return typeof headers.get === 'function';
}

function checkTimestamp(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('header_malformed', 'webhook-timestamp is not a number of seconds');
  }
  const ageSeconds = nowSeconds - Number(timestamp);
  if (ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError('timestamp_too_old', 'signed too long ago');
  if (ageSeconds < -toleranceSeconds)
    throw new WebhookVerificationError('timestamp_too_new', 'signed in the future');
}

function parseSignatures(header: string): { v1: Bytes[]; v1a: Bytes[] } {
  const found: { v1: Bytes[]; v1a: Bytes[] } = { v1: [], v1a: [] };
  for (const part of header.split(' ').slice(0, SIGNATURES_MAX)) {
    const [version = '', text = ''] = part.split(',', 2);
    const signature = canonicalBase64(text);
    if (signature === undefined) continue;
    if (version === 'v1' && signature.length === 32) found.v1.push(signature);
    if (version === 'v1a' && signature.length === 64) found.v1a.push(signature);
  }
  return found;
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof event === 'object' && event !== null && 'type' in event && 'data' in event)
      return event as WebhookEvent;
  } catch {
    // Reported below, like JSON that is no event.
  }
  throw new WebhookVerificationError('body_malformed', 'the signed body is no event');
}
