import { required } from '../../packages/client/src/cli/kit/option.ts';
import type { Command } from './command.ts';
import { internalCommand } from './internal-command.ts';
import { jsonFile, uuid } from './option.ts';

export const presaleCommands: readonly Command[] = [
  internalCommand({
    name: 'presale create',
    operation: 'createPresale',
    summary: 'Creates a presale from a JSON file: a draft, unless its status is initializing',
    options: { file: jsonFile('the presale') },
    examples: ['--file presale.json'],
  }),
  internalCommand({
    name: 'presale publish',
    operation: 'publishPresale',
    summary: 'Makes a draft public; it opens at its start',
    options: { id: uuid('the presale', required) },
    examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --yes'],
    destroys: { warning: ({ id }) => `presale ${id} becomes public for ever` },
  }),
];
