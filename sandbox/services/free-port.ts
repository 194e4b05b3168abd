import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports (32768 and up on Linux, 49152 on macOS): no outgoing connection can take the port between
 * our check and the server's own bind. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const MAX_ATTEMPTS = 100;

const handedOut = new Set<number>();

/** A loopback TCP port that is free now and was not handed out before by this process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (handedOut.has(port) || !(await canBind(port))) continue;
    handedOut.add(port);
    return port;
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT} on 127.0.0.1`);
}

/** Whether a server may listen on the port of 127.0.0.1 right now. */
export function canBind(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
