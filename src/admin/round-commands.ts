import { Value } from '@sinclair/typebox/value';
import { createRound } from '../features/predictions/rounds/create-round.ts';
import { voidRound } from '../features/predictions/rounds/void-round.ts';
import { isAddress } from '../shared/address.ts';
import { TimestampField } from '../shared/field-schemas.ts';
import { type Command, CommandRefused, need, needUuid, type OptionValues, UsageError } from './command.ts';

const RAW_AMOUNT = /^(?:0|[1-9]\d{0,19})$/;
const RAW_AMOUNT_MAX = 2n ** 64n - 1n;

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
    const round = {
      mintAddress,
      ...readTimes(options),
      minimumBalanceRaw: readRawAmount(options, 'minimum-balance-raw'),
      prizePoolLamports: readRawAmount(options, 'prize-pool-lamports'),
      requiresDelegatedIntent: options['requires-delegated-intent'] === 'true',
    };
    const created = await database.begin((transaction) => createRound(transaction, clock, round));
    if (created === null) throw new CommandRefused(`token ${mintAddress} does not exist`);
    return { ...created };
  },
};

const roundVoid: Command = {
  group: 'round',
  verb: 'void',
  summary: 'Void a round and its predictions; prints the round',
  options: { id: { description: 'round id', required: true } },
  async run({ database, outbox, clock }, options) {
    const id = needUuid(options, 'id').toLowerCase();
    const outcome = await database.begin((transaction) => voidRound(transaction, outbox, clock, id));
    switch (outcome.outcome) {
      case 'unknown':
        throw new CommandRefused(`round ${id} does not exist`);
      case 'ended':
        throw new CommandRefused(`round ${id} is ${outcome.status}: it cannot be voided any more`);
      case 'voided':
        return { ...outcome.round };
    }
  },
};

export const roundCommands = [roundCreate, roundVoid];

function readTimes(options: OptionValues): { opensAt: Date; locksAt: Date; settlesAt: Date } {
  const opensAt = readTime(options, 'opens-at');
  const locksAt = readTime(options, 'locks-at');
  const settlesAt = readTime(options, 'settles-at');
  if (!(opensAt < locksAt && locksAt <= settlesAt))
    throw new CommandRefused('a round opens before it locks, and locks no later than it settles');
  return { opensAt, locksAt, settlesAt };
}

function readTime(options: OptionValues, name: string): Date {
  const text = need(options, name);
  if (!Value.Check(TimestampField, text)) throw new UsageError(`--${name} must be an RFC 3339 date-time`);
  return new Date(text);
}

function readRawAmount(options: OptionValues, name: string): bigint {
  const text = need(options, name);
  if (!RAW_AMOUNT.test(text) || BigInt(text) > RAW_AMOUNT_MAX)
    throw new UsageError(`--${name} must be a whole number of at most 64 bits`);
  return BigInt(text);
}
