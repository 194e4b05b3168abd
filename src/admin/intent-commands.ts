import { Value } from '@sinclair/typebox/value';
import { type IntentPolicy, intentStatuses } from '../db/values/transaction-intents.ts';
import { accountExists } from '../features/identity/list-accounts.ts';
import { listIntents } from '../features/transaction-intents/list-intents.ts';
import { inspectIntent } from '../intents/find-intent.ts';
import { checkPreparation } from '../intents/prepare/check-preparation.ts';
import { prepareIntent } from '../intents/prepare/prepare-intent.ts';
import { RequestedPolicy, requestedPolicy } from '../intents/prepare/requested-preparation.ts';
import { toIntent } from '../intents/row.ts';
import { decodeCanonicalBase64 } from '../shared/bytes.ts';
import { schemaMistakes } from '../shared/schema-mistakes.ts';
import {
  type Command,
  CommandRefused,
  need,
  needUuid,
  numberOr,
  type OptionValues,
  UsageError,
} from './command.ts';
import { address, base64, choice, json, required, text, uuid, wholeNumber } from './option.ts';
import { nextOf, pageOptions, readPage } from './page-options.ts';

const intentPrepare: Command = {
  group: 'intent',
  verb: 'prepare',
  summary: 'Stores an unsigned transaction for a wallet to sign',
  options: {
    account: uuid('owner of the intent', required),
    kind: text('what the transaction does, e.g. token_transfer', required),
    signer: address('the only wallet whose signature is accepted', required),
    transaction: base64('the wire transaction', required),
    policy: json('allowedPrograms, maxComputeUnitPrice, requireSimulation', { default: 'no restriction' }),
    'last-valid-block-height': wholeNumber(
      'block height after which the blockhash has expired',
      'block height',
    ),
    'expires-in': wholeNumber('time until the intent expires', 'seconds', {
      default: 'as long as the chain is expected to take the blockhash, and 90 with a durable nonce',
    }),
  },
  example:
    '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --kind token_transfer ' +
    '--signer 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --transaction AQAB --expires-in 300',
  async run({ database, rpcs, outbox, clock }, options) {
    const expiresInSeconds = numberOr(options, 'expires-in', null);
    const preparation = {
      accountId: needUuid(options, 'account'),
      kind: need(options, 'kind'),
      expectedSigner: need(options, 'signer'),
      transaction: readTransactionBytes(options),
      policy: readPolicy(options),
      lastValidBlockHeight: readHeight(options),
      expiresInMs: expiresInSeconds === null ? null : expiresInSeconds * 1000,
    };
    const checked = await checkPreparation(preparation, rpcs, clock);
    const intent = await database.begin((transaction) =>
      prepareIntent(transaction, checked, { outbox, clock }),
    );
    return { ...toIntent(intent) };
  },
};

const intentList: Command = {
  group: 'intent',
  verb: 'list',
  summary: 'Lists the intents of an account, newest first, without their transactions',
  options: {
    account: uuid('whose intents', required),
    status: choice('only those in this status', intentStatuses),
    kind: text('only those of this kind, e.g. token_swap'),
    ...pageOptions('intents'),
  },
  example: '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --status failed',
  async run({ database }, options) {
    const accountId = needUuid(options, 'account');
    if (!(await accountExists(database, accountId)))
      throw new CommandRefused(`account ${accountId} does not exist`);
    const status = intentStatuses.find((one) => one === options.status);
    const page = await listIntents(database, accountId, { status, kind: options.kind, ...readPage(options) });
    // Each intent is one line of a table; `show` prints the rest.
    const intents = page.items.map(({ policy: _, recentBlockhash: __, ...shown }) => shown);
    return { intents, next: nextOf(page) };
  },
};

const intentShow: Command = {
  group: 'intent',
  verb: 'show',
  summary: 'Shows an intent of any account, with the transaction to be signed and how it is being sent',
  options: { id: uuid('the intent', required) },
  example: '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e',
  async run({ database }, options) {
    const id = needUuid(options, 'id');
    const intent = await inspectIntent(database, id);
    if (intent === null) throw new CommandRefused(`intent ${id} does not exist`);
    return { ...intent };
  },
};

export const intentCommands = [intentPrepare, intentList, intentShow];

function readTransactionBytes(options: OptionValues): Uint8Array {
  const bytes = decodeCanonicalBase64(need(options, 'transaction'));
  if (bytes === null) throw new UsageError('--transaction must be canonical base64');
  return bytes;
}

function readHeight(options: OptionValues): bigint | null {
  const height = numberOr(options, 'last-valid-block-height', null);
  return height === null ? null : BigInt(height);
}

function readPolicy({ policy }: OptionValues): IntentPolicy {
  if (policy === undefined) return requestedPolicy();
  const value: unknown = JSON.parse(policy);
  if (Value.Check(RequestedPolicy, value)) return requestedPolicy(value);
  throw new UsageError(`--policy is invalid: ${schemaMistakes(Value.Errors(RequestedPolicy, value))}`);
}
