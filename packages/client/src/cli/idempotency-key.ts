import { KEY_MAX, KEY_MIN } from '../order-keys.ts';
import type { Invocation } from './command.ts';
import { UsageError } from './failures.ts';

export const idempotencyOption = {
  'idempotency-key': {
    kind: 'text',
    value: 'KEY',
    help: 'your name of this order, of 8 to 128 characters: a line that is repeated takes effect once',
  },
} as const;

/** Undefined where the option is absent. */
export function idempotencyKeyOf({ options }: Invocation): string | undefined {
  const key = options['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (key.length < KEY_MIN || key.length > KEY_MAX)
    throw new UsageError(`--idempotency-key has ${KEY_MIN} to ${KEY_MAX} characters`);
  return key;
}
