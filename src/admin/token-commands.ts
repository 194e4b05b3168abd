import { readFile } from 'node:fs/promises';
import postgres from 'postgres';
import { setTokenHidden } from '../features/tokens/hide-token.ts';
import { upsertToken } from '../features/tokens/upsert-token.ts';
import { checkToken } from '../indexer/ingest/kinds/token.ts';
import { type Command, CommandRefused, need, parseJsonOption, UsageError } from './command.ts';

const tokenUpsert: Command = {
  group: 'token',
  verb: 'upsert',
  summary: 'Create or change a token from a JSON file; - reads standard input',
  options: {
    file: { description: 'path of the JSON file', required: true },
    announce: { description: 'send launch events also for what happened before', flag: true },
  },
  async run({ database, outbox, clock }, options) {
    const file = need(options, 'file');
    const text = await (file === '-' ? Bun.stdin.text() : readFile(file, 'utf8')).catch(() => {
      throw new UsageError(`--file ${file} cannot be read`);
    });
    const checked = checkToken(parseJsonOption('file', text));
    if (!checked.ok) throw new CommandRefused(`the token is invalid: ${checked.detail}`);
    const token = options.announce === undefined ? checked.message : { ...checked.message, announce: true };
    const outcome = await database
      .begin((transaction) => upsertToken(transaction, outbox, clock, token))
      .catch(refuseTakenPool);
    return { mintAddress: token.mintAddress, ...outcome };
  },
};

const UNIQUE_VIOLATION = '23505';

/** Everything else that the database could refuse has been checked before. */
function refuseTakenPool(error: unknown): never {
  const isTaken =
    error instanceof postgres.PostgresError &&
    error.code === UNIQUE_VIOLATION &&
    error.constraint_name === 'tokens_pool_address';
  throw isTaken
    ? new CommandRefused('the token is invalid: /poolAddress is the pool of another token', { cause: error })
    : error;
}

function visibility(verb: 'hide' | 'show', summary: string): Command {
  return {
    group: 'token',
    verb,
    summary,
    options: { mint: { description: 'mint address', required: true } },
    async run({ database }, options) {
      const mint = need(options, 'mint');
      const hidden = verb === 'hide';
      const known = await database.begin((transaction) => setTokenHidden(transaction, mint, hidden));
      if (!known) throw new CommandRefused(`token ${mint} does not exist`);
      return { mintAddress: mint, hidden };
    },
  };
}

export const tokenCommands = [
  tokenUpsert,
  visibility('hide', 'Hide a token everywhere; caches follow within 5 seconds'),
  visibility('show', 'Show a hidden token again'),
];
