import { readFileSync } from 'node:fs';
import type { Arguments } from '../operations.ts';
import { KEY_MAX, KEY_MIN } from '../order-keys.ts';
import { secretKeySigner } from '../signers/secret-key.ts';
import type { TransactionSigner } from '../signers/signer.ts';
import { defined, type Invocation } from './command.ts';
import { need, UsageError, type Values } from './kit/command.ts';
import { choice, type Option, type Options, rawAmount, required, text } from './kit/option.ts';

const LEVELS = ['auto', 'min', 'low', 'medium', 'high', 'veryHigh'];
const ROUTES = ['fast', 'protected'] as const;
const PRICE = /^(0|[1-9]\d{0,19})$/;

const keyFile = text('secret key: of solana-keygen, or base58', { format: 'file' });

/** The key file of a command that always signs. */
export const signing: Options = { 'key-file': { ...keyFile, ...required } };
/** The key file of a command that may do without a signature. */
export const optionalSigning: Options = { 'key-file': keyFile };

export const idempotency: Options = {
  'idempotency-key': {
    ...text('your name of this order: a line that is repeated takes effect once', {
      format: `${KEY_MIN} to ${KEY_MAX} characters`,
    }),
    check: ({ length }) =>
      length < KEY_MIN || length > KEY_MAX ? `has ${KEY_MIN} to ${KEY_MAX} characters` : null,
  },
};

/** How a transaction is sent, and what it offers for that. */
export const sending: Options = {
  priority: {
    ...text(`price of priority: ${LEVELS.join(', ')}, or micro-lamports per compute unit`, {
      format: 'level',
    }),
    check: (value) =>
      LEVELS.includes(value) || PRICE.test(value)
        ? null
        : `must be one of ${LEVELS.join(', ')}, or a whole number, not ${JSON.stringify(value)}`,
  },
  'max-priority': rawAmount('the most that priority may cost', 'lamports'),
  tip: rawAmount('what it pays a landing service', 'lamports', { ifUnset: 'what the operator has set' }),
  route: choice(
    'fast sends it to every address, protected only to those that show it to nobody before it lands',
    ROUTES,
  ),
} satisfies Readonly<Record<string, Option>>;

type Sending = Pick<
  Arguments<'createSwap'>,
  'computeUnitPrice' | 'maxPriorityLamports' | 'tipLamports' | 'route'
>;

/** The fields of a request. */
export function sendingOf(options: Values): Sending {
  return defined({
    computeUnitPrice: options.priority,
    maxPriorityLamports: options['max-priority'],
    tipLamports: options.tip,
    route: ROUTES.find((one) => one === options.route),
  });
}

/** What a step of a flow returned: an intent, or the record that has one. */
interface StepRecord {
  id?: string;
  intentId?: string | null;
  intent?: { id: string } | null;
}

/** The options of a flow: its idempotency key, and a note for each step. */
export function flowOptions({ options, output, signal }: Invocation) {
  return {
    signal,
    idempotencyKey: options['idempotency-key'],
    onStep: (step: string, { intentId, intent, id }: StepRecord) =>
      output.note(`${step}: intent ${intentId ?? intent?.id ?? id}`),
  };
}

/**
 * Reads the wallet of `--key-file`: a file of `solana-keygen` (64 numbers), or one that holds a base58 secret key.
 * Never shows its content.
 */
export async function readKeyFile(options: Values): Promise<TransactionSigner> {
  const path = need(options, 'key-file');
  try {
    return await secretKeySigner(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) throw new UsageError(`${path} cannot be read: ${code}`);
    throw new UsageError(`${path} holds no secret key: 64 numbers as solana-keygen writes them, or base58`);
  }
}
