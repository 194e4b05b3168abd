import { has, need } from '../../packages/client/src/cli/kit/command.ts';
import { flag, required } from '../../packages/client/src/cli/kit/option.ts';
import { findReportedPool } from '../features/tokens/announced-pool.ts';
import { setTokenHidden } from '../features/tokens/hide-token.ts';
import { refuseTakenPool, reportedToken } from '../features/tokens/reported-token.ts';
import { upsertToken } from '../features/tokens/upsert-token.ts';
import { type Command, readJsonFile } from './command.ts';
import { address, jsonFile } from './option.ts';

const MINT = { mint: address('mint of the token', required) };
const MINT_EXAMPLE = '--mint 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj';

const tokenUpsert: Command = {
  name: 'token upsert',
  summary: 'Creates or changes a token from a JSON file',
  options: {
    file: jsonFile('the token'),
    announce: flag('also send launch events for times before the registration'),
  },
  examples: ['--file token.json'],
  async run({ database, outbox, clock, rpcs }, options) {
    const reported = reportedToken(await readJsonFile(options));
    const token = has(options, 'announce') ? { ...reported, announce: true } : reported;
    const pool = await findReportedPool(database, { rpcs, clock }, token);
    const outcome = await database
      .begin((transaction) => upsertToken(transaction, outbox, clock, token, pool))
      .catch(refuseTakenPool);
    return { mintAddress: token.mintAddress, ...outcome };
  },
};

const tokenHide: Command = {
  name: 'token hide',
  summary: 'Hides a token everywhere; caches follow within 5 seconds',
  options: MINT,
  examples: [MINT_EXAMPLE],
  run: ({ database }, options) =>
    database.begin((transaction) => setTokenHidden(transaction, need(options, 'mint'), true)),
};

const tokenShow: Command = {
  name: 'token show',
  summary: 'Shows a hidden token again',
  options: MINT,
  examples: [MINT_EXAMPLE],
  run: ({ database }, options) =>
    database.begin((transaction) => setTokenHidden(transaction, need(options, 'mint'), false)),
};

export const tokenCommands = [tokenUpsert, tokenHide, tokenShow];
