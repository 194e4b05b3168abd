import { createServer, type Server, type Socket } from 'node:net';
import { databaseFailure } from '../../../src/db/failure.ts';
import { atEnd } from '../run/cleanup.ts';

/** A stand-in for the server. */
export interface StandIn {
  server: Server;
  /** Every connection that it got. */
  callers: Socket[];
}

/** Starts a stand-in that counts connections and handles each by `greet`. */
export async function standIn(port: number, greet: (socket: Socket) => void): Promise<StandIn> {
  const callers: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    callers.push(socket);
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atEnd(async () => void server.close());
  return { server, callers };
}

export async function closeStandIn({ server, callers }: StandIn): Promise<void> {
  for (const socket of callers) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
}

/** The reason why a query failed, or `ok`. */
export const fateOf = (query: PromiseLike<unknown>): Promise<string> =>
  Promise.resolve(query).then(
    () => 'ok',
    (error: unknown) => databaseFailure(error) ?? String(error),
  );
