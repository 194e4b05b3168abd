import { connectBus } from '../shared/bus/connect.ts';
import { forgetPosition } from '../shared/bus/streams.ts';
import { consumers } from '../shared/bus/topology.ts';
import { type Command, CommandRefused } from './command.ts';

const ingestReplay: Command = {
  group: 'ingest',
  verb: 'replay',
  summary:
    'Lets the workers read the whole ingest stream again, after a restore: every fact is idempotent; needs NATS_URL',
  options: {},
  example: '--yes',
  destroys: {
    warning: () => 'the workers forget how far they have read, and new facts wait for the old ones',
  },
  async run({ config }) {
    const { natsUrl } = config;
    if (natsUrl === undefined)
      throw new CommandRefused('NATS_URL is needed: the broker that holds the ingest stream');
    const connection = await connectBus({ ...config, natsUrl }, 'launchwire-admin');
    try {
      return { messages: await forgetPosition(connection, consumers.ingest) };
    } finally {
      await connection.close();
    }
  },
};

export const ingestCommands = [ingestReplay];
