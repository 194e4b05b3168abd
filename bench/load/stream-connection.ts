const TRADE = Buffer.from('event: trade\n');
const HEARTBEAT = Buffer.from('event: heartbeat\n');
const NEWLINE = 10;

/** A stream of server-sent events, read as cheaply as one can. */
export interface StreamConnection {
  /** Resolves at the first heartbeat: the stream has its place. Rejects when the stream breaks before. */
  begun: Promise<void>;
  end(): void;
}

/** Opens a stream on 127.0.0.1 and calls `onTrade` for each trade that comes, and `onFailure` when it breaks. */
export async function openStreamConnection(
  port: number,
  path: string,
  { onTrade, onFailure }: { onTrade(): void; onFailure(error: Error): void },
): Promise<StreamConnection> {
  const begun = Promise.withResolvers<void>();
  // `onFailure` reports it too.
  begun.promise.catch(() => {});
  const fail = (error: Error) => {
    begun.reject(error);
    onFailure(error);
  };
  let isEnded = false;
  let hasBegun = false;
  let isOk = false;
  /** The beginning of a line whose rest has not come yet. */
  let rest: Buffer = Buffer.alloc(0);
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_socket, chunk) {
        if (!isOk) {
          isOk = chunk.toString('latin1', 0, 12) === 'HTTP/1.1 200';
          if (!isOk) fail(new Error(chunk.toString('utf8', 0, 300)));
        }
        const received = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
        const end = received.lastIndexOf(NEWLINE) + 1;
        // The chunk is only valid during this call.
        rest = Buffer.from(received.subarray(end));
        const lines = received.subarray(0, end);
        if (!hasBegun && lines.includes(HEARTBEAT)) {
          hasBegun = true;
          begun.resolve();
        }
        for (let at = lines.indexOf(TRADE); at !== -1; at = lines.indexOf(TRADE, at + TRADE.byteLength))
          onTrade();
      },
      close() {
        if (!isEnded) fail(new Error('the server closed the stream'));
      },
      error: (_socket, error) => fail(error),
    },
  });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n`);
  return {
    begun: begun.promise,
    end() {
      isEnded = true;
      socket.end();
    },
  };
}

const OPENED_AT_ONCE = 50;

/** Opens many, and waits until each has its place. */
export async function openStreamConnections(
  port: number,
  path: string,
  count: number,
  events: Parameters<typeof openStreamConnection>[2],
): Promise<StreamConnection[]> {
  const connections: StreamConnection[] = [];
  while (connections.length < count) {
    const opened = Array.from({ length: Math.min(OPENED_AT_ONCE, count - connections.length) }, () =>
      openStreamConnection(port, path, events),
    );
    connections.push(...(await Promise.all(opened)));
  }
  await Promise.all(connections.map(({ begun }) => begun));
  return connections;
}
