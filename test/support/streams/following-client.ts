import { eventually } from '../run/eventually.ts';
import { type EventStream, openEventStream, type ReceivedMessage } from './event-stream.ts';

/** A client that reconnects with its last cursor until it is stopped, perhaps to another process. */
export interface FollowingClient {
  /** All messages of the connections that have ended, in order. */
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

  /** Undefined where the process does not serve: a killed one refuses connections until it has restarted. */
  async function open(): Promise<EventStream | undefined> {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
    const stream = await openEventStream(`${address()}/stream?topics=${topics}`, headers).catch(ifCut);
    if (stream?.response.ok !== false) return stream;
    stream.close();
    return undefined;
  }

  async function follow(stream: EventStream): Promise<void> {
    current = stream;
    connections += 1;
    if (isStopped) stream.close();
    await stream.ended;
    messages.push(...stream.messages);
    lastId = stream.lastEventId() ?? lastId;
  }

  const running = (async () => {
    while (!isStopped) {
      const stream = await eventually('an api opens the stream', async () => isStopped || (await open()));
      // What a stream sent before it was cut comes again, because the cursor stays.
      if (stream !== true) await follow(stream).catch(ifCut);
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

/** Ignores the end of a connection, which has a code; a malformed message is a failure of the test. */
function ifCut(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error)) throw error;
}
