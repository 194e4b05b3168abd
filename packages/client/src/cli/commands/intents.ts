import { IntentError } from '../../errors.ts';
import type { Arguments } from '../../operations.ts';
import { hasEnded } from '../../waits/change-feed.ts';
import { HELD_SECONDS } from '../../waits/wait-for.ts';
import { argumentOf, type Command, numberOf, textOf } from '../command.ts';
import { readKeyFile } from '../key-file.ts';
import { take } from '../take.ts';

const intentId = { name: 'id', help: 'id of the intent', required: true };
const STATUSES = ['prepared', 'submitted', 'confirmed', 'expired', 'failed'] as const;

export const intentCommands: readonly Command[] = [
  {
    name: 'intents list',
    summary: 'List the transaction intents of the account, newest first',
    arguments: [],
    options: {
      status: { kind: 'text', choices: STATUSES, help: 'only those with this status' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' },
    },
    examples: ['launchwire intents list --status failed'],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const { status } = options as { status?: Arguments<'listTransactionIntents'>['status'] };
      const intents = client().listTransactionIntents.all(status === undefined ? {} : { status }, { signal });
      const rows = await take(intents, numberOf(invocation, 'limit', 1, 1_000) ?? 20);
      output.table(rows, ['id', 'kind', 'status', 'createdAt', 'transactionSignature']);
    },
  },
  {
    name: 'intents show',
    summary: 'Show an intent',
    arguments: [intentId],
    options: {},
    examples: ['launchwire intents show 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      output.record(
        await client().getTransactionIntent({ intentId: argumentOf(invocation, 'id') }, { signal }),
      );
    },
  },
  {
    name: 'intents sends',
    summary: 'Show how an intent was sent to each address, and how the addresses answered',
    arguments: [intentId],
    options: {},
    examples: ['launchwire intents sends 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const sends = await client().getTransactionIntentSends(
        { intentId: argumentOf(invocation, 'id') },
        { signal },
      );
      if (output.isJson) return output.record(sends);
      const columns = ['name', 'sendCount', 'takenCount', 'answer', 'reason', 'firstSlot', 'firstSentAt'];
      output.table(sends.addresses, [...columns, 'lastSentAt', 'heldOut']);
    },
  },
  {
    name: 'intents submit',
    summary: 'Sign a prepared intent with a key file, submit it and wait until it has ended',
    details: 'Moves money. It ends with exit code 1 when the transaction did not confirm.',
    arguments: [intentId],
    options: {
      'key-file': {
        kind: 'text',
        value: 'FILE',
        help: 'secret key: of solana-keygen, or base58',
        required: true,
      },
      'no-wait': { kind: 'flag', help: 'end when it is submitted' },
    },
    examples: ['launchwire intents submit 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --key-file wallet.json'],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const signer = await readKeyFile(textOf(invocation, 'key-file'));
      const isAwaited = options['no-wait'] !== true;
      const submitted = await client().signAndSubmit(argumentOf(invocation, 'id'), signer, {
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
