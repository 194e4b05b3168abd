import { connect, createServer } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** In the first message of a connection: its length, and the version of the protocol. */
const HEAD_BYTES = 8;

/** Passes connections on without some of the start-up parameters, as some connection poolers do. Returns its port. */
export async function startDroppingPooler(port: number, dropped: readonly string[]): Promise<number> {
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let first = Buffer.alloc(0);
    const onFirst = (bytes: Buffer) => {
      first = Buffer.concat([first, bytes]);
      const length = first.length >= HEAD_BYTES ? first.readInt32BE(0) : Number.POSITIVE_INFINITY;
      if (first.length < length) return;
      client.off('data', onFirst);
      upstream.write(withoutParameters(first.subarray(0, length), dropped));
      upstream.write(first.subarray(length));
      client.pipe(upstream);
    };
    client.on('data', onFirst);
    upstream.pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function withoutParameters(message: Buffer, dropped: readonly string[]): Buffer {
  const words = message.subarray(HEAD_BYTES, -1).toString().split('\0').slice(0, -1);
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value = ''] = words.slice(at, at + 2);
    if (!dropped.includes(name)) kept.push(name, value);
  }
  const body = Buffer.from(`${kept.map((word) => `${word}\0`).join('')}\0`);
  const head = Buffer.from(message.subarray(0, HEAD_BYTES));
  head.writeInt32BE(HEAD_BYTES + body.length, 0);
  return Buffer.concat([head, body]);
}
