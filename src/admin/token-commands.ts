import { readFile } from 'node:fs/promises';
import { setTokenHidden } from '../features/tokens/hide-token.ts';
import { refuseTakenPool, reportedToken } from '../features/tokens/reported-token.ts';
import { upsertToken } from '../features/tokens/upsert-token.ts';
import { type Command, need, parseJsonOption, UsageError } from './command.ts';

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
    const reported = reportedToken(parseJsonOption('file', text));
    const token = options.announce === undefined ? reported : { ...reported, announce: true };
    const outcome = await database
      .begin((transaction) => upsertToken(transaction, outbox, clock, token))
      .catch(refuseTakenPool);
    return { mintAddress: token.mintAddress, ...outcome };
  },
};

function visibility(verb: 'hide' | 'show', summary: string): Command {
  return {
    group: 'token',
    verb,
    summary,
    options: { mint: { description: 'mint address', required: true } },
    async run({ database }, options) {
      const mint = need(options, 'mint');
      const hidden = verb === 'hide';
      return database.begin((transaction) => setTokenHidden(transaction, mint, hidden));
    },
  };
}

export const tokenCommands = [
  tokenUpsert,
  visibility('hide', 'Hide a token everywhere; caches follow within 5 seconds'),
  visibility('show', 'Show a hidden token again'),
];
