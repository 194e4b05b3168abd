import { createPresale, publishPresale } from '../features/presales/create-presale.ts';
import { plannedPresale } from '../features/presales/presale-plan.ts';
import { type Command, needUuid, readJsonFile } from './command.ts';
import { jsonFile, required, uuid } from './option.ts';

const presaleCreate: Command = {
  group: 'presale',
  verb: 'create',
  summary: 'Creates a presale from a JSON file: a draft, unless its status is initializing',
  options: { file: jsonFile('the presale') },
  example: '--file presale.json',
  async run({ database, clock }, options) {
    const presale = plannedPresale(await readJsonFile(options));
    return { ...(await database.begin((transaction) => createPresale(transaction, presale, clock.now()))) };
  },
};

const presalePublish: Command = {
  group: 'presale',
  verb: 'publish',
  summary: 'Makes a draft public; it opens at its start',
  options: { id: uuid('the presale', required) },
  example: '--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --yes',
  destroys: { warning: ({ id }) => `presale ${id} becomes public for ever` },
  async run({ database, clock }, options) {
    const id = needUuid(options, 'id');
    return { ...(await database.begin((transaction) => publishPresale(transaction, id, clock.now()))) };
  },
};

export const presaleCommands = [presaleCreate, presalePublish];
