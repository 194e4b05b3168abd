import { createHmac, type KeyObject, sign } from 'node:crypto';

export interface SignedMessage {
  /** CloudEvents `id`: the same on every attempt. */
  id: string;
  /** Of this attempt. */
  timestampSeconds: number;
  body: Uint8Array;
}

/**
 * The three headers of Standard Webhooks 1.0 (D13): one `v1` signature per live secret, in the given order,
 * then one `v1a` per Ed25519 key of the deployment. The signed content is `id.timestamp.body`.
 *
 * @param hmacKeys keys of the live secrets, newest first
 * @param signingKeys Ed25519, newest first; several while `SECRET_KEY` is rotated
 */
export function signatureHeaders(
  { id, timestampSeconds, body }: SignedMessage,
  hmacKeys: readonly Uint8Array[],
  signingKeys: readonly KeyObject[],
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const content = Buffer.concat([Buffer.from(`${id}.${timestampSeconds}.`), body]);
  const signatures = hmacKeys.map(
    (key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
  );
  for (const key of signingKeys) signatures.push(`v1a,${sign(null, content, key).toString('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  };
}
