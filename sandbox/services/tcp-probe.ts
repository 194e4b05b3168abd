import { connect } from 'node:net';

/** Sends `request` to a loopback port and says whether the answer matches `expected` within the time. Refused,
 * closed and silent connections are all "no": the caller is asking whether a server is up. */
export function answers(port: number, request: string, expected: RegExp, timeoutMs = 1000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    let answer = '';
    const finish = (outcome: boolean) => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(outcome);
    };
    const deadline = setTimeout(() => finish(false), timeoutMs);
    socket.setEncoding('utf8');
    socket.once('connect', () => socket.write(request));
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (expected.test(answer)) finish(true);
    });
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
