import { createHmac, type KeyObject, sign } from 'node:crypto';

export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

export interface SignedMessage {
  /** CloudEvents `id`: the same on every attempt. */
  id: string;
  /** Of this attempt. */
  timestampSeconds: number;
  body: Uint8Array;
}

/**
 * Signs messages. Ed25519 signs an event the same way for every endpoint that is sent to in the same second, so its
 * signatures are cached for that long: 25 of the 140 µs that a delivery of a public event takes.
 */
export class Signer {
  readonly #signingKeys: readonly KeyObject[];
  #cachedSeconds = 0;
  readonly #cached = new Map<string, { body: Uint8Array; signatures: readonly string[] }>();

  /** @param signingKeys Ed25519, newest first; several while `SECRET_KEY` is rotated */
  constructor(signingKeys: readonly KeyObject[]) {
    this.#signingKeys = signingKeys;
  }

  /**
   * The three headers of Standard Webhooks 1.0 (contract/webhooks#signatures): one `v1` signature per active secret, in
   * the given order, then one `v1a` per Ed25519 key of the deployment. The signed content is `id.timestamp.body`.
   *
   * @param hmacKeys keys of the active secrets, newest first
   */
  headers(message: SignedMessage, hmacKeys: readonly Uint8Array[]): SignatureHeaders {
    const { id, timestampSeconds, body } = message;
    const content = Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), body]);
    const signatures = hmacKeys.map(
      (key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
    );
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': [...signatures, ...this.#ed25519Signatures(message, content)].join(' '),
    };
  }

  #ed25519Signatures({ id, timestampSeconds, body }: SignedMessage, content: Uint8Array): readonly string[] {
    if (timestampSeconds !== this.#cachedSeconds) {
      this.#cachedSeconds = timestampSeconds;
      this.#cached.clear();
    }
    const cached = this.#cached.get(id);
    // Compared by identity, which costs nothing: a cached signature is never of other bytes.
    if (cached?.body === body) return cached.signatures;
    const signatures = this.#signingKeys.map((key) => `v1a,${sign(null, content, key).toString('base64')}`);
    this.#cached.set(id, { body, signatures });
    return signatures;
  }
}
