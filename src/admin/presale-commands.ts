import { readFile } from 'node:fs/promises';
import { createPresale, publishPresale } from '../features/presales/create-presale.ts';
import { plannedPresale } from '../features/presales/presale-plan.ts';
import { type Command, need, needUuid, parseJsonOption, UsageError } from './command.ts';

const presaleCreate: Command = {
  group: 'presale',
  verb: 'create',
  summary:
    'Create a presale from a JSON file, as a draft unless its status is initializing; - reads standard input',
  options: { file: { description: 'path of the JSON file', required: true } },
  async run({ database, clock }, options) {
    const file = need(options, 'file');
    const text = await (file === '-' ? Bun.stdin.text() : readFile(file, 'utf8')).catch(() => {
      throw new UsageError(`--file ${file} cannot be read`);
    });
    const presale = plannedPresale(parseJsonOption('file', text));
    return { ...(await database.begin((transaction) => createPresale(transaction, presale, clock.now()))) };
  },
};

const presalePublish: Command = {
  group: 'presale',
  verb: 'publish',
  summary: 'Make a draft public; it opens at its start',
  options: { id: { description: 'presale id', required: true } },
  async run({ database, clock }, options) {
    const id = needUuid(options, 'id');
    return { ...(await database.begin((transaction) => publishPresale(transaction, id, clock.now()))) };
  },
};

export const presaleCommands = [presaleCreate, presalePublish];
