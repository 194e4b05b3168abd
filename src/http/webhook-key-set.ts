import type { PublicSigningKey } from '../shared/webhooks/signing-keys.ts';

/** An Ed25519 key as RFC 8037 writes it. */
interface JsonWebKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  use: 'sig';
  alg: 'EdDSA';
  kid: string;
}

/** Keys of webhooks as a JSON Web Key Set, in the same order (contract/webhooks#jwks). */
export function webhookKeySet(keys: readonly PublicSigningKey[]): { keys: JsonWebKey[] } {
  return { keys: keys.map(jsonWebKey) };
}

function jsonWebKey({ key, kid }: PublicSigningKey): JsonWebKey {
  const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid };
}
