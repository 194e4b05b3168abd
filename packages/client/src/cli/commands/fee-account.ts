import type { Command } from '../command.ts';

export const feeAccountCommand: Command = {
  name: 'fee-account',
  summary: 'Show the address that gets the platform fees of your swaps, and the largest fee',
  arguments: [],
  options: {},
  examples: ['launchwire fee-account'],
  async run({ client, output, signal }) {
    output.record(await client().getPlatformFeeAccount({}, { signal }));
  },
};
