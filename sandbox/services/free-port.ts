import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ephemeral ports (32768 and up on Linux, 49152 on macOS): no outgoing connection can take the port between
 * our check and the server's own bind. */
const PORTS = { first: 20_000, last: 32_767 };
const MAX_ATTEMPTS = 100;

/**
 * A loopback TCP port that is free now, and that no process of this machine gets from here while this one lives. It is even,
 * and the next one belongs to the same caller: for sockets of a chain, and metrics of several processes.
 */
export async function freePort({ first, last } = PORTS): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const port = 2 * randomInt(Math.ceil(first / 2), Math.floor(last / 2) + 1);
    if ((await reserve(port)) && (await canBind(port))) return port;
  }
  throw new Error(`no free port between ${first} and ${last} on 127.0.0.1`);
}

/**
 * Takes the UDP port of the same number, which no server of ours uses, until this process ends. False when another
 * caller has it. The TCP port itself cannot be held, because the server has to bind it.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(false);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}

/** Whether a server may listen on the port of 127.0.0.1 right now. */
export function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
