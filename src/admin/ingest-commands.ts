import { readIngestAnew } from '../indexer/store/ingest-position.ts';
import { connectBus } from '../shared/bus/connect.ts';
import { countMessages } from '../shared/bus/streams.ts';
import { INGEST_STREAM } from '../shared/bus/topology.ts';
import { type Command, CommandRefused } from './command.ts';

const ingestReplay: Command = {
  name: 'ingest replay',
  summary: 'Lets the workers read the whole ingest stream again: every fact is idempotent; needs NATS_URL',
  options: {},
  examples: ['--yes'],
  destroys: {
    warning: () => 'the workers forget how far they have read, and new facts wait for the old ones',
  },
  async run({ config, database }) {
    const { natsUrls } = config;
    if (natsUrls === undefined)
      throw new CommandRefused('NATS_URL is needed: the broker that holds the ingest stream');
    const connection = await connectBus({ ...config, natsUrls }, 'launchwire-admin');
    try {
      const messages = await countMessages(connection, INGEST_STREAM);
      await readIngestAnew(database);
      return { messages };
    } finally {
      await connection.close();
    }
  },
};

export const ingestCommands = [ingestReplay];
