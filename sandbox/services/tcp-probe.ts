import { connect } from 'node:net';

/** Sends `request` to a loopback port. Whether the response matches `expected` in time: false for refused, closed and
 * silent connections. */
export function responds(
  port: number,
  request: string,
  expected: RegExp,
  timeoutMs = 1000,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let response = '';
    const finish = (outcome: boolean) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => finish(false), timeoutMs);
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(request));
    socket.on('data', (chunk: string) => {
      response += chunk;
      if (expected.test(response)) finish(true);
    });
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
