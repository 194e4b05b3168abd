import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** A server on another address of loopback, 127.0.0.x. */
export interface SilentAddress {
  /** The numbers of open connections and of all connections. */
  open(): number;
  total(): number;
}

/** Accepts connections but sends nothing, so that no TLS handshake ends. */
export async function startSilentAddress(host: string, port: number): Promise<SilentAddress> {
  const sockets = new Set<Socket>();
  let total = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    total += 1;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(port, host);
  await once(server, 'listening');
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { open: () => sockets.size, total: () => total };
}

/** More connections than the queue of such a server holds. */
const QUEUED = 3;

/** Completes no TCP handshake, like a missing host. A stopped process with a full queue has the address. */
export async function startDeadAddress(host: string, port: number): Promise<void> {
  const script = `require('node:net').createServer()
    .listen({ host: '${host}', port: ${port}, backlog: 1 }, () => console.log('listening'))`;
  const child = Bun.spawn(['node', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(async () => {
    child.kill('SIGKILL');
    await child.exited;
  });
  await child.stdout.getReader().read();
  child.kill('SIGSTOP');
  for (let count = 0; count < QUEUED; count += 1) {
    const socket = connect({ host, port });
    socket.on('error', () => socket.destroy());
    atEnd(async () => void socket.destroy());
    // The last connection waits until the system gives up.
    if (count < QUEUED - 1) await once(socket, 'connect');
  }
}
