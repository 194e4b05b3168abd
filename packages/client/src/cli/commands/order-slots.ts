import type { Schemas } from '../../operations.ts';
import { type Command, CommandFailed, type Invocation } from '../command.ts';
import { needArgument, UsageError } from '../kit/command.ts';
import { required, text } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';
import {
  flowOptions,
  idempotency,
  optionalSigning,
  readKeyFile,
  sending,
  sendingOf,
  signing,
} from '../sending.ts';

const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const slot = { slotId: text('id of the slot', { ...required, example: ID }) };

/** `order-slot`: the nonce accounts over which orders are signed. */
export const orderSlotCommands: readonly Command[] = [
  {
    name: 'order-slot create',
    summary: 'Create a nonce account of the wallet, over which orders are signed, and wait until it is ready',
    details:
      'The wallet pays the rent of the account and gets it back from `order-slot close`. With --nonce-account it takes ' +
      'an account that the wallet has, and signs nothing.',
    options: {
      'nonce-account': text('a nonce account of the wallet, to take in place of a new one', {
        format: 'address',
      }),
      ...optionalSigning,
      ...idempotency,
      ...sending,
    },
    examples: ['--key-file wallet.json'],
    async run(invocation) {
      const { client, output, options, signal } = invocation;
      const idempotencyKey = options['idempotency-key'];
      const terms = sendingOf(options);
      const nonceAddress = options['nonce-account'];
      if (nonceAddress !== undefined) {
        if (options['key-file'] !== undefined)
          throw new UsageError('--nonce-account signs nothing: leave --key-file out');
        const created = await client().createOrderSlot(
          { nonceAddress, ...terms },
          { signal, idempotencyKey },
        );
        const { intent: _, sending: __, ...record } = created;
        return output.record(record);
      }
      const signer = await readKeyFile(options);
      const opened = await client().openSlot(terms, signer, flowOptions(invocation));
      showEnd(invocation, opened, 'ready');
    },
  },
  operationCommand('order-slot list', 'listOrderSlots', 'List the order slots of the account, newest first', {
    columns: 'id status nonceAddress walletAddress createdAt',
  }),
  operationCommand('order-slot show', 'getOrderSlot', 'Show an order slot', {
    arguments: slot,
  }),
  {
    name: 'order-slot close',
    summary: 'Return the rent of an order slot to its wallet, and wait until it is closed',
    details: 'Every order that was signed over its nonce is worthless from then on.',
    arguments: slot,
    options: { ...signing, ...idempotency, ...sending },
    examples: [`${ID} --key-file wallet.json`],
    async run(invocation) {
      const { client, options } = invocation;
      const parameters = { slotId: needArgument(invocation.arguments, 'slotId'), ...sendingOf(options) };
      const closed = await client().closeSlot(
        parameters,
        await readKeyFile(options),
        flowOptions(invocation),
      );
      showEnd(invocation, closed, 'closed');
    },
  },
];

/** A fork may drop the transaction right after its confirmation. */
function showEnd({ output }: Invocation, slot: Schemas['OrderSlot'], expected: string): void {
  output.record(slot);
  if (slot.status !== expected) throw new CommandFailed(`the slot is ${slot.status}, and not ${expected}`);
}
