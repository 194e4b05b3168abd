import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** A proxy before a broker that can hold back what passes while connections stay, like a broker that hangs. */
export async function startGate(url: string) {
  const gate = {
    url: '',
    /** No response passes. */
    isShut: false,
    /**
     * Whether a text of a client does not pass.
     * @param at the number of its connection, from 0
     */
    holdsBack: (_text: string, _at: number) => false,
    pings: 0,
    connections: 0,
  };
  const { hostname, port } = new URL(url);
  const upstreams = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    upstreams.add(upstream);
    const at = gate.connections++;
    client.on('data', (data) => {
      const text = data.toString('latin1');
      gate.pings += text.split('PING\r\n').length - 1;
      if (!gate.holdsBack(text, at)) upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (!gate.isShut) client.write(data);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const upstream of upstreams) upstream.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  gate.url = `nats://127.0.0.1:${address.port}`;
  return gate;
}
