import { has, need } from '../../packages/client/src/cli/kit/command.ts';
import { flag, rawAmount, required } from '../../packages/client/src/cli/kit/option.ts';
import { createRound } from '../features/predictions/rounds/create-round.ts';
import { plannedRound } from '../features/predictions/rounds/round-plan.ts';
import { voidRound } from '../features/predictions/rounds/void-round.ts';
import { type Command, needUuid, refusedAsUsage } from './command.ts';
import { address, time, uuid } from './option.ts';

const amounts = {
  '/minimumBalanceRaw': 'minimum-balance-raw',
  '/prizePoolLamports': 'prize-pool-lamports',
};

const roundCreate: Command = {
  name: 'round create',
  summary: 'Creates a prediction round of a token; the worker opens, locks and settles it at its times',
  options: {
    mint: address('mint of the token', required),
    'opens-at': time('start of predictions', required),
    'locks-at': time('end of predictions, after opens-at', required),
    'settles-at': time('time of the deciding price, locks-at or later', required),
    'minimum-balance-raw': rawAmount('minimum balance of a wallet', 'base units', required),
    'prize-pool-lamports': rawAmount('prize pool, shared by the best 10', 'lamports', required),
    'requires-delegated-intent': flag('predictions need a text signed by the wallet'),
  },
  examples: [
    '--mint 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj --opens-at 2026-11-20T10:00:00Z --locks-at 2026-11-20T11:00:00Z ' +
      '--settles-at 2026-11-20T12:00:00Z --minimum-balance-raw 1000000 --prize-pool-lamports 5000000000',
  ],
  async run({ database, clock }, options) {
    const plan = {
      mintAddress: need(options, 'mint'),
      opensAt: need(options, 'opens-at'),
      locksAt: need(options, 'locks-at'),
      settlesAt: need(options, 'settles-at'),
      minimumBalanceRaw: need(options, 'minimum-balance-raw'),
      prizePoolLamports: need(options, 'prize-pool-lamports'),
      requiresDelegatedIntent: has(options, 'requires-delegated-intent'),
    };
    const round = await refusedAsUsage(amounts, () => plannedRound(plan));
    return { ...(await database.begin((transaction) => createRound(transaction, clock, round))) };
  },
};

const roundVoid: Command = {
  name: 'round void',
  summary: 'Voids a round and its predictions; caches follow within a second',
  options: { id: uuid('the round', required) },
  examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --yes'],
  destroys: { warning: ({ id }) => `round ${id} and all its predictions are voided for ever` },
  async run({ database, outbox, clock }, options) {
    const id = needUuid(options, 'id');
    return { ...(await database.begin((transaction) => voidRound(transaction, outbox, clock, id))) };
  },
};

export const roundCommands = [roundCreate, roundVoid];
