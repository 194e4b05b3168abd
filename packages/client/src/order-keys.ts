import type { Answer } from './attempt.ts';

/** Characters of an idempotency key. */
export const KEY_MIN = 8;
export const KEY_MAX = 128;

type OrderKind =
  | 'swap'
  | 'launch'
  | 'creator-transfer'
  | 'claim'
  | 'order'
  | 'order-withdrawal'
  | 'order-slot'
  | 'order-slot-closure';

/**
 * The idempotency keys of the intents of an order, in sequence. They are digests, so that none is too long and none
 * belongs to another order.
 */
export async function orderKeys(
  kind: OrderKind,
  name: string | undefined,
): Promise<(index: number) => string | undefined> {
  if (name === undefined) return () => undefined;
  if (name.length < KEY_MIN || name.length > KEY_MAX)
    throw new TypeError(`an idempotencyKey has ${KEY_MIN} to ${KEY_MAX} characters`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)));
  const text = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return (index) => `${kind}-${text}-${index + 1}`;
}

/**
 * Makes an order under its first key, and under the next one when what an earlier call prepared under that is over.
 *
 * @param make returns undefined when it is over
 */
export async function makeUnderKeys<Made>(
  kind: OrderKind,
  name: string | undefined,
  make: (idempotencyKey: string | undefined) => Promise<Made | undefined>,
): Promise<Made> {
  const keyOf = await orderKeys(kind, name);
  for (let ended = 0; ; ended += 1) {
    const made = await make(keyOf(ended));
    if (made !== undefined) return made;
  }
}

/** Whether a response is that of an earlier call under the key. */
export function isReplayed({ headers }: Answer, idempotencyKey: string | undefined): boolean {
  return idempotencyKey !== undefined && headers.get('Idempotent-Replayed') === 'true';
}
