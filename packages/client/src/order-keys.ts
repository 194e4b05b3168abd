/** Characters of an idempotency key. */
export const KEY_MIN = 8;
export const KEY_MAX = 128;

/**
 * The idempotency keys of the intents of an order, in sequence. They are digests, so that none is too long and none
 * belongs to another order.
 */
export async function orderKeys(
  kind:
    | 'swap'
    | 'launch'
    | 'creator-transfer'
    | 'claim'
    | 'order'
    | 'order-withdrawal'
    | 'order-slot'
    | 'order-slot-closure',
  name: string | undefined,
): Promise<(index: number) => string | undefined> {
  if (name === undefined) return () => undefined;
  if (name.length < KEY_MIN || name.length > KEY_MAX)
    throw new TypeError(`an idempotencyKey has ${KEY_MIN} to ${KEY_MAX} characters`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)));
  const text = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return (index) => `${kind}-${text}-${index + 1}`;
}
