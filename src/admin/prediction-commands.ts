import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { need, numberOr, UsageError, type Values } from '../../packages/client/src/cli/kit/command.ts';
import {
  choice,
  flag,
  rawAmount,
  required,
  text,
  wholeNumber,
} from '../../packages/client/src/cli/kit/option.ts';
import { isUsableWallet } from '../chain/verify-signature.ts';
import { accountExists } from '../features/identity/list-accounts.ts';
import { type IntentTerms, intentText } from '../features/predictions/intents/signed-text.ts';
import {
  findLockTime,
  type IntentRefusal,
  storePredictionIntent,
} from '../features/predictions/intents/store-intent.ts';
import { isPredictablePrice } from '../features/predictions/submissions/price-range.ts';
import { decodeAddress } from '../shared/address.ts';
import { decodeBase58 } from '../shared/base58.ts';
import { AddressField, TimestampField, UuidField } from '../shared/field-schemas.ts';
import { parseInstant } from '../shared/instant.ts';
import { timedId } from '../shared/timed-id.ts';
import { type Command, CommandRefused, needUuid, needWallet, readJsonFile } from './command.ts';
import { internalCommand } from './internal-command.ts';
import { address, jsonFile, time, uuid } from './option.ts';

const SIGNATURE_BYTES = 64;

const roundCreate = internalCommand(
  'round create',
  'createPredictionRound',
  'Creates a prediction round of a token; the worker opens, locks and settles it at its times',
  {
    options: {
      mint: address('mint of the token', required),
      'opens-at': time('start of predictions', required),
      'locks-at': time('end of predictions, after opens-at', required),
      'settles-at': time('time of the deciding price, locks-at or later', required),
      'minimum-balance-raw': rawAmount('minimum balance of a wallet', 'base units', required),
      'prize-pool-lamports': rawAmount('prize pool, shared by the best 10', 'lamports', required),
      'requires-delegated-intent': flag('predictions need a text signed by the wallet'),
    },
    fields: { mint: 'mintAddress' },
    judgedOptions: ['minimum-balance-raw', 'prize-pool-lamports'],
    examples: [
      '--mint 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --opens-at 2026-11-20T10:00:00Z --locks-at 2026-11-20T11:00:00Z --settles-at 2026-11-20T12:00:00Z --minimum-balance-raw 1000000 --prize-pool-lamports 5000000000',
    ],
  },
);

const roundVoid = internalCommand(
  'round void',
  'voidPredictionRound',
  'Voids a round and its predictions; caches follow within a second',
  {
    options: { id: uuid('the round', required) },
    fields: { id: 'roundId' },
    examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --yes'],
    destroys: { warning: ({ id }) => `round ${id} and all its predictions are voided for ever` },
  },
);

const walletUpsert = internalCommand(
  'wallet upsert',
  'upsertWallet',
  'Sets username and verification of a wallet, which predictions require; an option that is left out keeps its value',
  {
    options: {
      address: address('the wallet', required),
      username: text('1 to 64 characters, shown in standings'),
      verified: choice('whether the wallet is verified', ['true', 'false'], {
        ifUnset: 'unchanged, and false for a new wallet',
      }),
    },
    judgedOptions: ['username'],
    examples: ['--address 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --username Ada --verified true'],
  },
);

const intentPrepare: Command = {
  name: 'prediction-intent prepare',
  summary: 'Prints the text that a wallet signs to let an account predict for it; stores nothing',
  options: {
    account: uuid('account that will submit the prediction', required),
    round: uuid('the round', required),
    wallet: address('the wallet that signs', required),
    price: text('predicted price of one token', { ...required, format: 'SOL' }),
    'expires-in': wholeNumber('time until the intent expires', 'seconds', {
      ifUnset: 'it expires when the round locks',
    }),
  },
  examples: [
    '--account 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --round 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1f ' +
      '--wallet 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --price 0.000031 --json',
  ],
  async run({ database, clock }, options) {
    const roundId = needUuid(options, 'round');
    const locksAt = await findLockTime(database, roundId);
    if (locksAt === null) throw new CommandRefused(`round ${roundId} does not exist`);
    const accountId = needUuid(options, 'account');
    if (!(await accountExists(database, accountId)))
      throw new CommandRefused(`account ${accountId} does not exist`);
    const expiresInSeconds = numberOr(options, 'expires-in', null);
    const terms = {
      id: timedId(clock.now()),
      accountId,
      roundId,
      walletAddress: needWallet(options, 'wallet'),
      predictedPriceInSol: needPrice(options),
      expiresAt:
        expiresInSeconds === null ? locksAt : new Date(clock.now().getTime() + expiresInSeconds * 1000),
    };
    return { ...terms, expiresAt: terms.expiresAt.toISOString(), text: intentText(terms) };
  },
};

const intentStore: Command = {
  name: 'prediction-intent store',
  summary: 'Stores what was prepared with the signature, which is checked at the submission',
  options: {
    file: jsonFile('output of prepare with --json'),
    signature: text('signature of the text by the wallet, 64 bytes', { ...required, format: 'base58' }),
  },
  examples: ['--file intent.json --signature 2Vx…'],
  async run({ database, clock }, options) {
    const terms = readTerms(await readJsonFile(options));
    const signature = needSignature(options);
    const refusal = await database.begin((transaction) =>
      storePredictionIntent(transaction, clock, terms, signature),
    );
    if (refusal !== null) throw new CommandRefused(refusalText(refusal, terms));
    return { id: terms.id, stored: true };
  },
};

export const predictionCommands = [roundCreate, roundVoid, walletUpsert, intentPrepare, intentStore];

/** The output of `prepare`. */
const PreparedIntent = Type.Object(
  {
    id: UuidField,
    accountId: UuidField,
    roundId: UuidField,
    walletAddress: AddressField,
    predictedPriceInSol: Type.String(),
    expiresAt: TimestampField,
    text: Type.String(),
  },
  { additionalProperties: false },
);

function readTerms(value: unknown): IntentTerms {
  if (!Value.Check(PreparedIntent, value) || !isPredictablePrice(value.predictedPriceInSol))
    throw new UsageError('--file must contain the output of prediction-intent prepare with --json');
  const { text: signed, expiresAt, predictedPriceInSol, ...ids } = value;
  const terms = { ...ids, predictedPriceInSol, expiresAt: parseInstant(expiresAt) };
  if (intentText(terms) !== signed) throw new CommandRefused('the text does not match the other fields');
  const publicKey = decodeAddress(terms.walletAddress);
  if (publicKey === null || !isUsableWallet(publicKey))
    throw new CommandRefused('the wallet is a small-order point: anyone could sign for it');
  return terms;
}

function needPrice(options: Values) {
  const price = need(options, 'price');
  if (!isPredictablePrice(price))
    throw new UsageError('--price must be a positive decimal of at most 12 integer and 18 fractional digits');
  return price;
}

function needSignature(options: Values): Uint8Array {
  const bytes = decodeBase58(need(options, 'signature'));
  if (bytes?.byteLength !== SIGNATURE_BYTES) throw new UsageError('--signature must be base58 of 64 bytes');
  return bytes;
}

function refusalText(refusal: IntentRefusal, { id, accountId, roundId }: IntentTerms): string {
  const texts: Record<IntentRefusal, string> = {
    unknown_account: `account ${accountId} does not exist`,
    unknown_round: `round ${roundId} does not exist`,
    stored_before: `intent ${id} is stored already`,
  };
  return texts[refusal];
}
