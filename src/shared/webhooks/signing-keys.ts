import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { BoundedMap } from '../bounded-map.ts';
import { ed25519PrivateKey } from '../ed25519-private-key.ts';
import { deriveKey, type SecretKeys } from '../secret-box.ts';

const PURPOSE = 'launchwire/webhook-ed25519';
/** A pair takes 50 µs to derive and 300 bytes to keep. */
const KEPT_MAX = 20_000;

/** The public half of a key that signs as `v1a`. */
export interface PublicSigningKey {
  /** `whpk_` + base64 of the 32 bytes, as Standard Webhooks writes it. */
  key: string;
  /** The thumbprint of RFC 7638: equal wherever the key is published. */
  kid: string;
}

/** The Ed25519 keys that sign deliveries as `v1a` (contract/webhooks#signatures), newest first. */
export interface SigningKeys {
  /**
   * Keys that sign for this endpoint only: one derived from `SECRET_KEY` and one from each of
   * `SECRET_KEY_PREVIOUS`.
   */
  ofEndpoint(endpointId: string): readonly KeyObject[];
  /** Keys that also sign every delivery, for receivers that verify with them; none from `sharedUntil` on. */
  shared(nowMs: number): readonly KeyObject[];
}

/** Signing keys derived from `SECRET_KEY` (decisions/0004, 0050): nothing is stored. */
export class WebhookSigningKeys implements SigningKeys {
  readonly sharedUntil: Date;
  readonly #secretKeys: readonly Uint8Array[];
  readonly #shared: readonly KeyObject[];
  readonly #byEndpoint = new BoundedMap<string, readonly KeyObject[]>(KEPT_MAX);

  /** @param sharedUntil when the shared keys of the deployment stop signing */
  constructor({ secretKey, secretKeyPrevious }: SecretKeys, sharedUntil: Date) {
    this.sharedUntil = sharedUntil;
    this.#secretKeys = [secretKey, ...secretKeyPrevious];
    this.#shared = this.#derive(PURPOSE);
  }

  ofEndpoint(endpointId: string): readonly KeyObject[] {
    const id = endpointId.toLowerCase();
    const known = this.#byEndpoint.get(id);
    if (known !== undefined) return known;
    const keys = this.#derive(`${PURPOSE}/${id}`);
    this.#byEndpoint.set(id, keys);
    return keys;
  }

  shared(nowMs: number): readonly KeyObject[] {
    return nowMs < this.sharedUntil.getTime() ? this.#shared : [];
  }

  #derive(purpose: string): KeyObject[] {
    return this.#secretKeys.map((key) => ed25519PrivateKey(deriveKey(key, purpose)));
  }
}

export function publicSigningKey(signingKey: KeyObject): PublicSigningKey {
  const { x = '' } = createPublicKey(signingKey).export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { key: `whpk_${Buffer.from(x, 'base64url').toString('base64')}`, kid };
}
