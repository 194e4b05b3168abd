import { createHash } from 'node:crypto';

/** An Ed25519 key as RFC 8037 writes it. */
interface JsonWebKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  use: 'sig';
  alg: 'EdDSA';
  /** The thumbprint of RFC 7638: the same wherever the key is published. */
  kid: string;
}

/** The keys of webhooks (`whpk_` + base64 of 32 bytes) as a JSON Web Key Set, in the same order (contract/webhooks#jwks). */
export function webhookKeySet(webhookPublicKeys: readonly string[]): { keys: JsonWebKey[] } {
  return { keys: webhookPublicKeys.map(jsonWebKey) };
}

function jsonWebKey(publicKey: string): JsonWebKey {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const required = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(required).digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA', kid };
}
