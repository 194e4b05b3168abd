import type { Socket } from 'bun';

export interface CountingProxy {
  /** The given database, through the proxy. */
  url: string;
  /** Round trips so far: the messages after which a client waits (Sync and simple queries). */
  roundTrips(): number;
  close(): void;
}

const SYNC = 'S'.charCodeAt(0);
const QUERY = 'Q'.charCodeAt(0);

/** A TCP proxy in front of Postgres that counts round trips by the frontend messages of protocol 3.0. */
export function startCountingProxy(databaseUrl: string): CountingProxy {
  const target = new URL(databaseUrl);
  let roundTrips = 0;
  const listener = Bun.listen<{ upstream: Promise<Socket>; counter: MessageCounter }>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        const upstream = Bun.connect({
          hostname: target.hostname,
          port: Number(target.port),
          socket: {
            data: (_socket, chunk) => void client.write(chunk),
            close: () => void client.end(),
          },
        });
        client.data = {
          upstream,
          counter: new MessageCounter((type) => {
            if (type === SYNC || type === QUERY) roundTrips += 1;
          }),
        };
      },
      async data({ data: { upstream, counter } }, chunk) {
        // The chunk is only valid during this call.
        const bytes = Buffer.from(chunk);
        counter.push(bytes);
        (await upstream).write(bytes);
      },
      async close({ data: { upstream } }) {
        (await upstream).end();
      },
    },
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(listener.port);
  return { url: url.href, roundTrips: () => roundTrips, close: () => listener.stop(true) };
}

/** Finds the message boundaries of a frontend: first the startup message without a type, then type and length. */
export class MessageCounter {
  readonly #onMessage: (type: number) => void;
  #bytes = Buffer.alloc(0);
  #isStarted = false;

  constructor(onMessage: (type: number) => void) {
    this.#onMessage = onMessage;
  }

  push(chunk: Uint8Array): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const typeBytes = this.#isStarted ? 1 : 0;
      if (this.#bytes.byteLength < typeBytes + 4) return;
      const end = typeBytes + this.#bytes.readUInt32BE(typeBytes);
      if (this.#bytes.byteLength < end) return;
      if (this.#isStarted) this.#onMessage(this.#bytes[0] ?? 0);
      this.#isStarted = true;
      this.#bytes = this.#bytes.subarray(end);
    }
  }
}
