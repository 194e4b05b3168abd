import { Value } from '@sinclair/typebox/value';
import { createRound } from '../features/predictions/rounds/create-round.ts';
import { plannedRound } from '../features/predictions/rounds/round-plan.ts';
import { voidRound } from '../features/predictions/rounds/void-round.ts';
import { isAddress } from '../shared/address.ts';
import { TimestampField } from '../shared/field-schemas.ts';
import { type Command, need, needUuid, type OptionValues, refusedAsUsage, UsageError } from './command.ts';

const RAW_AMOUNT = /^(?:0|[1-9]\d{0,19})$/;

const amounts = {
  '/minimumBalanceRaw': 'minimum-balance-raw',
  '/prizePoolLamports': 'prize-pool-lamports',
};

const roundCreate: Command = {
  group: 'round',
  verb: 'create',
  summary: 'Create a prediction round of a token; prints the round',
  options: {
    mint: { description: 'mint address of the token', required: true },
    'opens-at': { description: 'RFC 3339 time from which predictions are accepted', required: true },
    'locks-at': { description: 'RFC 3339 time of the lock, after opens-at', required: true },
    'settles-at': { description: 'RFC 3339 time of the settlement price, locks-at or later', required: true },
    'minimum-balance-raw': { description: 'base units a wallet must hold', required: true },
    'prize-pool-lamports': { description: 'shared by the best 10', required: true },
    'requires-delegated-intent': { description: 'predictions need a text signed by the wallet', flag: true },
  },
  async run({ database, clock }, options) {
    const mintAddress = need(options, 'mint');
    if (!isAddress(mintAddress)) throw new UsageError('--mint must be a base58 address of 32 bytes');
    const plan = {
      mintAddress,
      opensAt: readTime(options, 'opens-at'),
      locksAt: readTime(options, 'locks-at'),
      settlesAt: readTime(options, 'settles-at'),
      minimumBalanceRaw: readRawAmount(options, 'minimum-balance-raw'),
      prizePoolLamports: readRawAmount(options, 'prize-pool-lamports'),
      requiresDelegatedIntent: options['requires-delegated-intent'] === 'true',
    };
    const round = await refusedAsUsage(amounts, () => plannedRound(plan));
    return { ...(await database.begin((transaction) => createRound(transaction, clock, round))) };
  },
};

const roundVoid: Command = {
  group: 'round',
  verb: 'void',
  summary: 'Void a round and its predictions; prints the round',
  options: { id: { description: 'round id', required: true } },
  async run({ database, outbox, clock }, options) {
    const id = needUuid(options, 'id').toLowerCase();
    return { ...(await database.begin((transaction) => voidRound(transaction, outbox, clock, id))) };
  },
};

export const roundCommands = [roundCreate, roundVoid];

function readTime(options: OptionValues, name: string): string {
  const text = need(options, name);
  if (!Value.Check(TimestampField, text)) throw new UsageError(`--${name} must be an RFC 3339 date-time`);
  return text;
}

function readRawAmount(options: OptionValues, name: string): string {
  const text = need(options, name);
  if (!RAW_AMOUNT.test(text)) throw new UsageError(`--${name} must be a whole number of at most 64 bits`);
  return text;
}
