import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** An address on loopback that forwards to a port, which a test may change or remove. */
export interface TcpSwitch {
  readonly port: number;
  /** Ends every connection. Later ones go to this port, or are refused for null. */
  pointTo(port: number | null): void;
}

export async function startTcpSwitch(port: number): Promise<TcpSwitch> {
  let target: number | null = port;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (target === null) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(target, '127.0.0.1');
    keep(outgoing);
    incoming.once('close', () => outgoing.destroy());
    outgoing.once('close', () => incoming.destroy());
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  atEnd(async () => {
    drop();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(next) {
      target = next;
      drop();
    },
  };
}
