import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** A server on another address of loopback, 127.0.0.x. */
export interface SilentAddress {
  /** Connections that it has, and has had. */
  open(): number;
  total(): number;
}

/** Takes connections and says nothing on them, so that no TLS handshake ends. */
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

/** More than the queue of a server that takes one connection has room for. */
const QUEUED = 3;

/** Does not even complete the handshake of TCP, as a host that is gone: a stopped process with a full queue has the address. */
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
    // The last one waits for as long as the system tries.
    if (count < QUEUED - 1) await once(socket, 'connect');
  }
}
