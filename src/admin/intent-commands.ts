import { choice, required, text, wholeNumber } from '../../packages/client/src/cli/kit/option.ts';
import { intentStatuses } from '../db/values/transaction-intents.ts';
import { accountExists } from '../features/identity/list-accounts.ts';
import { listIntents } from '../features/transaction-intents/list-intents.ts';
import { inspectIntent } from '../intents/find-intent.ts';
import { type Command, CommandRefused, needUuid } from './command.ts';
import { internalCommand } from './internal-command.ts';
import { address, base64, json, uuid } from './option.ts';
import { nextOf, pageOptions, readPage } from './page-options.ts';

const intentPrepare = internalCommand(
  'intent prepare',
  'prepareTransactionIntent',
  'Stores an unsigned transaction for a wallet to sign',
  {
    options: {
      account: uuid('owner of the intent', required),
      kind: text('what the transaction does, e.g. token_transfer', required),
      signer: address('the only wallet whose signature is accepted', required),
      transaction: base64('the wire transaction', required),
      policy: json('allowedPrograms, maxComputeUnitPrice, requireSimulation', { ifUnset: 'no restriction' }),
      'last-valid-block-height': wholeNumber(
        'block height after which the blockhash has expired',
        'block height',
      ),
      'expires-in': wholeNumber('time until the intent expires', 'seconds', {
        ifUnset: 'as long as the chain is expected to take the blockhash, and 90 with a durable nonce',
      }),
    },
    fields: { account: 'accountId', signer: 'expectedSigner', 'expires-in': 'expiresInSeconds' },
    examples: [
      '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --kind token_transfer --signer 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --transaction AQAB --expires-in 300',
    ],
  },
);

const intentList: Command = {
  name: 'intent list',
  summary: 'Lists the intents of an account, newest first, without their transactions',
  options: {
    account: uuid('whose intents', required),
    status: choice('only those in this status', intentStatuses),
    kind: text('only those of this kind, e.g. token_swap'),
    ...pageOptions('intents'),
  },
  examples: ['--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --status failed'],
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    if (!(await accountExists(database, accountId)))
      throw new CommandRefused(`account ${accountId} does not exist`);
    const status = intentStatuses.find((one) => one === options.status);
    const page = await listIntents(database, accountId, { status, kind: options.kind, ...readPage(options) });
    // Each intent is one line of a table; `show` prints the rest.
    const intents = page.items.map(({ policy: _, recentBlockhash: __, ...fields }) => fields);
    return { intents, next: nextOf(page) };
  },
};

const intentShow: Command = {
  name: 'intent show',
  summary: 'Shows an intent of any account, with the transaction to be signed and how it is being sent',
  options: { id: uuid('the intent', required) },
  examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e'],
  async run({ database }, options) {
    const id = needUuid(options, 'id');
    const intent = await inspectIntent(database, id);
    if (intent === null) throw new CommandRefused(`intent ${id} does not exist`);
    return { ...intent };
  },
};

export const intentCommands = [intentPrepare, intentList, intentShow];
