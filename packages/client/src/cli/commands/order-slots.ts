import type { Schemas } from '../../operations.ts';
import { argumentOf, type Command, type Invocation, numberOf, textOf } from '../command.ts';
import { CommandFailed, UsageError } from '../failures.ts';
import { idempotencyKeyOf, idempotencyOption } from '../idempotency-key.ts';
import { keyFileOption, readKeyFile } from '../key-file.ts';
import { sendingOf, sendingOptions } from '../sending.ts';
import { take } from '../take.ts';

const slotId = { name: 'id', help: 'id of the slot', required: true };

/** `order-slot`: the nonce accounts over which orders are signed. */
export const orderSlotCommands: readonly Command[] = [
  {
    name: 'order-slot create',
    summary: 'Create a nonce account of the wallet, over which orders are signed, and wait until it is ready',
    details:
      'The wallet pays the rent of the account and gets it back from `order-slot close`. With --nonce-account it takes ' +
      'an account that the wallet has, and signs nothing.',
    arguments: [],
    options: {
      'nonce-account': {
        kind: 'text',
        value: 'ADDRESS',
        help: 'a nonce account of the wallet, to take in place of a new one',
      },
      'key-file': { ...keyFileOption, required: false },
      ...idempotencyOption,
      ...sendingOptions,
    },
    examples: ['launchwire order-slot create --key-file wallet.json'],
    async run(invocation) {
      const { client, output, options } = invocation;
      const idempotencyKey = idempotencyKeyOf(invocation);
      const sending = sendingOf(invocation);
      const nonceAddress = options['nonce-account'];
      if (typeof nonceAddress === 'string') {
        if (options['key-file'] !== undefined)
          throw new UsageError('--nonce-account signs nothing: leave --key-file out');
        const taken = await client().createOrderSlot(
          { nonceAddress, ...sending },
          { signal: invocation.signal, idempotencyKey },
        );
        const { intent, sending: sent, ...slot } = taken;
        return output.record(slot);
      }
      const signer = await readKeyFile(textOf(invocation, 'key-file'));
      const slot = await client().openSlot(sending, signer, { ...stepsOf(invocation), idempotencyKey });
      showEnd(invocation, slot, 'ready');
    },
  },
  {
    name: 'order-slot list',
    summary: 'List the order slots of the account, newest first',
    arguments: [],
    options: { limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' } },
    examples: ['launchwire order-slot list'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const slots = client().listOrderSlots.all({}, { signal });
      output.table(await take(slots, numberOf(invocation, 'limit', 1, 1_000) ?? 20), [
        ...['id', 'status', 'nonceAddress', 'walletAddress', 'createdAt'],
      ]);
    },
  },
  {
    name: 'order-slot show',
    summary: 'Show an order slot',
    arguments: [slotId],
    options: {},
    examples: ['launchwire order-slot show 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      output.record(await client().getOrderSlot({ slotId: argumentOf(invocation, 'id') }, { signal }));
    },
  },
  {
    name: 'order-slot close',
    summary: 'Return the rent of an order slot to its wallet, and wait until it is closed',
    details: 'Every order that was signed over its nonce is worthless from then on.',
    arguments: [slotId],
    options: { 'key-file': keyFileOption, ...idempotencyOption, ...sendingOptions },
    examples: ['launchwire order-slot close 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --key-file wallet.json'],
    async run(invocation) {
      const { client } = invocation;
      const idempotencyKey = idempotencyKeyOf(invocation);
      const sending = sendingOf(invocation);
      const signer = await readKeyFile(textOf(invocation, 'key-file'));
      const slot = await client().closeSlot({ slotId: argumentOf(invocation, 'id'), ...sending }, signer, {
        ...stepsOf(invocation),
        idempotencyKey,
      });
      showEnd(invocation, slot, 'closed');
    },
  },
];

function stepsOf({ output, signal }: Invocation) {
  const onStep = (step: string, record: Step) => output.note(`${step}: intent ${intentIdOf(record)}`);
  return { signal, onStep };
}

type Step = Schemas['PreparedOrderSlot'] | Schemas['OrderSlotClosure'] | Schemas['TransactionIntent'];

function intentIdOf(record: Step): string | undefined {
  return 'intent' in record ? record.intent?.id : record.id;
}

/** A fork may drop the transaction right after its confirmation. */
function showEnd({ output }: Invocation, slot: Schemas['OrderSlot'], expected: string): void {
  output.record(slot);
  if (slot.status !== expected) throw new CommandFailed(`the slot is ${slot.status}, and not ${expected}`);
}
