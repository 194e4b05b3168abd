import { eventually } from '../run/eventually.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from './event-stream.ts';

/** A client that reconnects with its last cursor until it is stopped, perhaps to another process. */
export interface FollowingClient {
  /** Messages with a cursor or a trade, in order, over all connections. */
  messages: ReceivedMessage[];
  connections(): number;
  /** Resolves at a heartbeat with this place of the log or a later one, and with this epoch if given. */
  reaches(place: bigint, epoch?: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** @param address returns the address of a process for each connection */
export function followStreams(address: () => string, topics: string): FollowingClient {
  const messages: ReceivedMessage[] = [];
  let lastId: string | undefined;
  let current: EventStream | undefined;
  let isStopped = false;
  let connections = 0;

  async function connect(): Promise<void> {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
    current = await openEventStream(`${address()}/stream?topics=${topics}`, headers);
    if (!current.response.ok) return;
    connections += 1;
    if (isStopped) current.close();
    await current.ended;
    messages.push(...current.messages);
    lastId = current.lastEventId() ?? lastId;
  }

  const running = (async () => {
    while (!isStopped) {
      // A killed process refuses connections until it has restarted.
      await connect().catch(() => {});
    }
  })();
  const places = () =>
    [...messages, ...(current?.messages ?? [])].filter(({ event }) => event === 'heartbeat');
  return {
    messages,
    connections: () => connections,
    reaches: (place, epoch) =>
      eventually(`a heartbeat of ${place}`, async () => {
        const [, of, id = -1] = places().at(-1)?.id?.split('.') ?? [];
        return BigInt(id) >= place && (epoch === undefined || of === epoch);
      }),
    async stop() {
      isStopped = true;
      current?.close();
      await running;
    },
  };
}
