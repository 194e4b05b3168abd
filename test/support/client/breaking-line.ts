import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** A connection to a server that a test can cut at any time. */
export interface BreakingLine {
  origin: string;
  /** Connections that have been made. */
  connections: number;
  /** Cuts every connection that is open. */
  cut(): void;
  /** While true, new connections are cut at once. */
  isDown: boolean;
}

export async function startBreakingLine(target: string): Promise<BreakingLine> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const line: BreakingLine = {
    origin: '',
    connections: 0,
    isDown: false,
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
  const server = createServer((near) => {
    if (line.isDown) return void near.destroy();
    line.connections += 1;
    const far = dial(Number(port), hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    line.cut();
    server.close();
  });
  line.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return line;
}
