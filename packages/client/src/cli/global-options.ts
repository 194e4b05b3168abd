import type { Option } from './command.ts';

/** Options that every command takes. */
export const globalOptions: Readonly<Record<string, Option>> = {
  json: { kind: 'flag', help: 'print JSON instead of tables' },
  url: { kind: 'text', value: 'URL', help: 'address of the deployment; LAUNCHWIRE_URL unless given' },
  help: { kind: 'flag', help: 'show this help' },
};
