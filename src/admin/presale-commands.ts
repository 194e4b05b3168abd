import { required } from '../../packages/client/src/cli/kit/option.ts';
import { createPresale, publishPresale } from '../features/presales/create-presale.ts';
import { plannedPresale } from '../features/presales/presale-plan.ts';
import { type Command, needUuid, readJsonFile } from './command.ts';
import { jsonFile, uuid } from './option.ts';

const presaleCreate: Command = {
  name: 'presale create',
  summary: 'Creates a presale from a JSON file: a draft, unless its status is initializing',
  options: { file: jsonFile('the presale') },
  examples: ['--file presale.json'],
  async run({ database, clock }, options) {
    const presale = plannedPresale(await readJsonFile(options));
    return { ...(await database.begin((transaction) => createPresale(transaction, presale, clock.now()))) };
  },
};

const presalePublish: Command = {
  name: 'presale publish',
  summary: 'Makes a draft public; it opens at its start',
  options: { id: uuid('the presale', required) },
  examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --yes'],
  destroys: { warning: ({ id }) => `presale ${id} becomes public for ever` },
  async run({ database, clock }, options) {
    const id = needUuid(options, 'id');
    return { ...(await database.begin((transaction) => publishPresale(transaction, id, clock.now()))) };
  },
};

export const presaleCommands = [presaleCreate, presalePublish];
