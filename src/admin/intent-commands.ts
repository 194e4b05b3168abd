import { Value } from '@sinclair/typebox/value';
import type { IntentPolicy } from '../db/schema/transaction-intents.ts';
import { checkPreparation } from '../features/transaction-intents/preparation/check-preparation.ts';
import { prepareIntent } from '../features/transaction-intents/preparation/prepare-intent.ts';
import {
  DEFAULT_EXPIRY_SECONDS,
  RequestedPolicy,
  requestedPolicy,
} from '../features/transaction-intents/preparation/requested-preparation.ts';
import { toIntent } from '../features/transaction-intents/record.ts';
import { decodeCanonicalBase64 } from '../shared/bytes.ts';
import {
  type Command,
  need,
  needUuid,
  type OptionValues,
  parseJsonOption,
  UsageError,
  wholeNumber,
} from './command.ts';

const intentPrepare: Command = {
  group: 'intent',
  verb: 'prepare',
  summary: 'Store an unsigned transaction for a wallet to sign; prints the intent',
  options: {
    account: { description: 'account id', required: true },
    kind: { description: 'what the transaction does, e.g. token_transfer', required: true },
    signer: { description: 'the only wallet whose signature is accepted', required: true },
    transaction: { description: 'base64 of the wire transaction', required: true },
    policy: { description: 'JSON: allowedPrograms, maxComputeUnitPrice, requireSimulation' },
    'last-valid-block-height': { description: 'block height after which the blockhash has expired' },
    'expires-in': { description: `seconds; default ${DEFAULT_EXPIRY_SECONDS}` },
  },
  async run({ database, rpcs, outbox, clock }, options) {
    const preparation = {
      accountId: needUuid(options, 'account'),
      kind: need(options, 'kind'),
      expectedSigner: need(options, 'signer'),
      transaction: readTransactionBytes(options),
      policy: readPolicy(options),
      lastValidBlockHeight: readHeight(options),
      expiresInMs: wholeNumber(options, 'expires-in', DEFAULT_EXPIRY_SECONDS) * 1000,
    };
    const checked = await checkPreparation(preparation, rpcs, clock);
    const intent = await database.begin((transaction) =>
      prepareIntent(transaction, checked, { outbox, clock }),
    );
    return { ...toIntent(intent) };
  },
};

export const intentCommands = [intentPrepare];

function readTransactionBytes(options: OptionValues): Uint8Array {
  const bytes = decodeCanonicalBase64(need(options, 'transaction'));
  if (bytes === null) throw new UsageError('--transaction must be canonical base64');
  return bytes;
}

function readHeight(options: OptionValues): bigint | null {
  const height = wholeNumber(options, 'last-valid-block-height', null);
  return height === null ? null : BigInt(height);
}

function readPolicy({ policy }: OptionValues): IntentPolicy {
  if (policy === undefined) return requestedPolicy();
  const value = parseJsonOption('policy', policy);
  if (Value.Check(RequestedPolicy, value)) return requestedPolicy(value);
  const isOfAddresses = !Value.Errors(RequestedPolicy, value).First()?.path.startsWith('/allowedPrograms/');
  throw new UsageError(
    isOfAddresses
      ? '--policy has an unknown or wrongly typed field'
      : '--policy: allowedPrograms must be addresses',
  );
}
