import { encodeBase64 } from '../base64.ts';
import { hmacKey, secretsIn, signedContent } from './keys.ts';

/**
 * Headers of a delivery as the service would sign it with a secret: for tests of a receiver, and for passing events on.
 * `timestampSeconds` is that of the attempt, in Unix seconds. Of several secrets the first one signs.
 */
export async function signWebhook(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string,
): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const [key] = secretsIn(secret);
  if (key === undefined) throw new TypeError('a signature needs a secret');
  const timestamp = String(timestampSeconds);
  const content = signedContent(id, timestamp, new TextEncoder().encode(body));
  const signature = await crypto.subtle.sign('HMAC', await hmacKey(key), content);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${encodeBase64(new Uint8Array(signature))}`,
  };
}
