import { flag, required } from '../../packages/client/src/cli/kit/option.ts';
import type { Command } from './command.ts';
import { internalCommand } from './internal-command.ts';
import { address, jsonFile, uuid } from './option.ts';

const MINT = { mint: address('mint of the token', required) };
const MINT_EXAMPLE = '--mint 7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj';

export const tokenCommands: readonly Command[] = [
  internalCommand('token upsert', 'upsertToken', 'Creates or changes a token from a JSON file', {
    options: {
      file: jsonFile('the token'),
      announce: flag('also send launch events for times before the registration'),
    },
    examples: ['--file token.json'],
  }),
  internalCommand(
    'token hide',
    'setTokenVisibility',
    'Hides a token everywhere; caches follow within 5 seconds',
    {
      options: MINT,
      body: { hidden: true },
      examples: [MINT_EXAMPLE],
    },
  ),
  internalCommand('token show', 'setTokenVisibility', 'Shows a hidden token again', {
    options: MINT,
    body: { hidden: false },
    examples: [MINT_EXAMPLE],
  }),
  internalCommand(
    'presale create',
    'createPresale',
    'Creates a presale from a JSON file: a draft, unless its status is initializing',
    {
      options: { file: jsonFile('the presale') },
      examples: ['--file presale.json'],
    },
  ),
  internalCommand('presale publish', 'publishPresale', 'Makes a draft public; it opens at its start', {
    options: { id: uuid('the presale', required) },
    examples: ['--id 0191e7a4-5c1e-7d3a-9c5b-2f4a6b8c0d1e --yes'],
    destroys: { warning: ({ id }) => `presale ${id} becomes public for ever` },
  }),
];
