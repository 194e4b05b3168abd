import { readFile } from 'node:fs/promises';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import bs58 from 'bs58';
import { isUsableWallet } from '../chain/signature.ts';
import { type IntentTerms, intentText } from '../features/predictions/intents/signed-text.ts';
import {
  findLockTime,
  type IntentRefusal,
  storePredictionIntent,
} from '../features/predictions/intents/store-intent.ts';
import { isPredictablePrice } from '../features/predictions/submissions/price-range.ts';
import { decodeAddress } from '../shared/address.ts';
import { AddressField, TimestampField, UuidField } from '../shared/field-schemas.ts';
import {
  type Command,
  CommandRefused,
  need,
  needUuid,
  type OptionValues,
  parseJsonOption,
  UsageError,
  wholeNumber,
} from './command.ts';
import { needWallet } from './wallet-option.ts';

const SIGNATURE_BYTES = 64;

const intentPrepare: Command = {
  group: 'prediction-intent',
  verb: 'prepare',
  summary: 'Compose the text that lets an account predict for a wallet; prints it, stores nothing',
  options: {
    account: { description: 'account that will submit the prediction', required: true },
    round: { description: 'round id', required: true },
    wallet: { description: 'the wallet that signs', required: true },
    price: { description: 'predicted price in SOL', required: true },
    'expires-in': { description: 'seconds; default until the round locks' },
  },
  async run({ database, clock }, options) {
    const roundId = needUuid(options, 'round').toLowerCase();
    const locksAt = await findLockTime(database, roundId);
    if (locksAt === null) throw new CommandRefused(`round ${roundId} does not exist`);
    const expiresInSeconds = wholeNumber(options, 'expires-in', null);
    const terms = {
      id: Bun.randomUUIDv7(),
      accountId: needUuid(options, 'account').toLowerCase(),
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
  group: 'prediction-intent',
  verb: 'store',
  summary: 'Store a prepared intent with the signature of its wallet, which is checked at the submission',
  options: {
    file: { description: 'what prepare printed with --json; - reads standard input', required: true },
    signature: { description: 'base58 of the 64 bytes that the wallet signed the text with', required: true },
  },
  async run({ database, clock }, options) {
    const terms = await readTerms(need(options, 'file'));
    const signature = needSignature(options);
    const refusal = await database.begin((transaction) =>
      storePredictionIntent(transaction, clock, terms, signature),
    );
    if (refusal !== null) throw new CommandRefused(refusalText(refusal, terms));
    return { id: terms.id, stored: true };
  },
};

export const predictionIntentCommands = [intentPrepare, intentStore];

/** What `prepare` prints. */
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

async function readTerms(file: string): Promise<IntentTerms> {
  const json = await (file === '-' ? Bun.stdin.text() : readFile(file, 'utf8')).catch(() => {
    throw new UsageError(`--file ${file} cannot be read`);
  });
  const value = parseJsonOption('file', json);
  if (!Value.Check(PreparedIntent, value) || !isPredictablePrice(value.predictedPriceInSol))
    throw new UsageError('--file must hold what prediction-intent prepare printed with --json');
  const { text, expiresAt, predictedPriceInSol, ...ids } = value;
  const terms = { ...ids, predictedPriceInSol, expiresAt: new Date(expiresAt) };
  if (intentText(terms) !== text) throw new CommandRefused('the text is not that of the other fields');
  const publicKey = decodeAddress(terms.walletAddress);
  if (publicKey === null || !isUsableWallet(publicKey))
    throw new CommandRefused('the wallet is a small-order point: anyone could sign for it');
  return terms;
}

function needPrice(options: OptionValues) {
  const price = need(options, 'price');
  if (!isPredictablePrice(price))
    throw new UsageError('--price must be a positive decimal of at most 12 integer and 18 fractional digits');
  return price;
}

function needSignature(options: OptionValues): Uint8Array {
  const bytes = bs58.decodeUnsafe(need(options, 'signature'));
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
