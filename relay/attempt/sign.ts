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
 * signatures are kept for that long: 25 of the 140 us that a delivery of a public event takes.
 */
export class Signer {
  readonly #signingKeys: readonly KeyObject[];
  #seconds = 0;
  readonly #ofSecond = new Map<string, { body: Uint8Array; signatures: readonly string[] }>();

  /** @param signingKeys Ed25519, newest first; several while `SECRET_KEY` is rotated */
  constructor(signingKeys: readonly KeyObject[]) {
    this.#signingKeys = signingKeys;
  }

  /**
   * The three headers of Standard Webhooks 1.0 (contract/webhooks#signatures): one `v1` signature per live secret, in the given order, then one
   * `v1a` per Ed25519 key of the deployment. The signed content is `id.timestamp.body`.
   *
   * @param hmacKeys keys of the live secrets, newest first
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
      'webhook-signature': [...signatures, ...this.#asymmetric(message, content)].join(' '),
    };
  }

  #asymmetric({ id, timestampSeconds, body }: SignedMessage, content: Uint8Array): readonly string[] {
    if (timestampSeconds !== this.#seconds) {
      this.#seconds = timestampSeconds;
      this.#ofSecond.clear();
    }
    const kept = this.#ofSecond.get(id);
    // The very same bytes, not equal ones: what is signed is never taken on trust.
    if (kept?.body === body) return kept.signatures;
    const signatures = this.#signingKeys.map((key) => `v1a,${sign(null, content, key).toString('base64')}`);
    this.#ofSecond.set(id, { body, signatures });
    return signatures;
  }
}
