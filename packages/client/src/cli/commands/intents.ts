import { IntentError } from '../../errors.ts';
import { hasEnded } from '../../waits/change-feed.ts';
import { HELD_SECONDS } from '../../waits/wait-for.ts';
import type { Command } from '../command.ts';
import { has, needArgument } from '../kit/command.ts';
import { choice, flag, required, text } from '../kit/option.ts';
import { operationCommand } from '../operation-command.ts';
import { readKeyFile, signing } from '../sending.ts';

const ID = '0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e';
const intent = { intentId: text('id of the intent', { ...required, example: ID }) };
const STATUSES = ['prepared', 'submitted', 'confirmed', 'expired', 'failed'] as const;
export const intentCommands: readonly Command[] = [
  operationCommand(
    'intents list',
    'listTransactionIntents',
    'List the transaction intents of the account, newest first',
    {
      options: { status: choice('only those with this status', STATUSES) },
      examples: ['--status failed'],
      columns: 'id kind status createdAt transactionSignature',
    },
  ),
  operationCommand('intents show', 'getTransactionIntent', 'Show an intent', {
    arguments: intent,
  }),
  operationCommand(
    'intents sends',
    'getTransactionIntentSends',
    'Show how an intent was sent to each address, and how the addresses answered',
    {
      arguments: intent,
      columns: 'name sendCount takenCount answer reason firstSlot firstSentAt lastSentAt heldOut',
      list: ({ addresses }) => addresses,
    },
  ),
  {
    name: 'intents submit',
    summary: 'Sign a prepared intent with a key file, submit it and wait until it has ended',
    details: 'Moves money. It ends with exit code 1 when the transaction did not confirm.',
    arguments: intent,
    options: { ...signing, 'no-wait': flag('end when it is submitted') },
    examples: [`${ID} --key-file wallet.json`],
    async run({ client, output, signal, options, arguments: values }) {
      const signer = await readKeyFile(options);
      const isAwaited = !has(options, 'no-wait');
      const submitted = await client().signAndSubmit(needArgument(values, 'intentId'), signer, {
        signal,
        ...(isAwaited && { waitSeconds: HELD_SECONDS }),
      });
      if (!isAwaited) return output.record(submitted);
      output.note(`${submitted.status}…`);
      const ended = hasEnded(submitted) ? submitted : await client().waitForIntent(submitted.id, { signal });
      if (ended.status !== 'confirmed') throw new IntentError(ended);
      output.record(ended);
    },
  },
];
