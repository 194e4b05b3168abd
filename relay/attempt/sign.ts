import { createHmac, sign } from 'node:crypto';
import type { SigningKeys } from '../../src/shared/webhooks/signing-keys.ts';

export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

export interface SignedMessage {
  /** CloudEvents `id`: the same on every attempt. */
  id: string;
  /** The endpoint whose key proves that the message is for it. */
  endpointId: string;
  /** The time of the signature. */
  timestampSeconds: number;
  body: Uint8Array;
}

/**
 * Signs messages. With a key of the deployment, an event has the same signature for every endpoint within a second, so
 * these signatures are cached for a second. A signature with an endpoint's own key takes 22 µs and cannot be shared.
 */
export class Signer {
  readonly #keys: SigningKeys;
  #cachedSeconds = 0;
  readonly #cached = new Map<string, { body: Uint8Array; signatures: readonly string[] }>();

  constructor(keys: SigningKeys) {
    this.#keys = keys;
  }

  /**
   * The three headers of Standard Webhooks 1.0 (contract/webhooks#signatures): one `v1` signature per active secret, in
   * the order of `hmacKeys`, then `v1a` of each Ed25519 key of the endpoint, then of each key that endpoints share. The
   * signed content is `id.timestamp.body`.
   *
   * @param hmacKeys keys of the active secrets, newest first
   */
  headers(message: SignedMessage, hmacKeys: readonly Uint8Array[]): SignatureHeaders {
    const { id, endpointId, timestampSeconds, body } = message;
    const content = Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), body]);
    const signatures = hmacKeys.map(
      (key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
    );
    for (const key of this.#keys.ofEndpoint(endpointId)) signatures.push(signEd25519(content, key));
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': [...signatures, ...this.#sharedSignatures(message, content)].join(' '),
    };
  }

  #sharedSignatures({ id, timestampSeconds, body }: SignedMessage, content: Uint8Array): readonly string[] {
    const keys = this.#keys.shared(timestampSeconds * 1000);
    if (keys.length === 0) return [];
    if (timestampSeconds !== this.#cachedSeconds) {
      this.#cachedSeconds = timestampSeconds;
      this.#cached.clear();
    }
    const cached = this.#cached.get(id);
    // The same object has the same bytes. Comparing the bytes would take time.
    if (cached?.body === body) return cached.signatures;
    const signatures = keys.map((key) => signEd25519(content, key));
    this.#cached.set(id, { body, signatures });
    return signatures;
  }
}

function signEd25519(content: Uint8Array, key: Parameters<typeof sign>[2]): string {
  return `v1a,${sign(null, content, key).toString('base64')}`;
}
