import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A client that takes the response for whole asks again at once; one that waits for more gets the end after this time. */
const END_AFTER_MS = 500;

/** The body of the second response on a connection. */
export const NEXT_BODY = 'next';
const NEXT = `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${NEXT_BODY.length}\r\n\r\n${NEXT_BODY}`;

/** A server that answers `/row/<n>` with the bytes of that row, and `/next/<n>` with a plain response. */
export interface RowServer {
  port: number;
  /** Whether the second request to this row came on the connection of the first. */
  isKept(row: number): boolean;
  close(): void;
}

export async function startRowServer(responses: readonly string[]): Promise<RowServer> {
  const kept = new Set<number>();
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, responses, kept));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, isKept: (row) => kept.has(row), close: () => void server.close() };
}

function serve(socket: Socket, responses: readonly string[], kept: Set<number>): void {
  let received = '';
  let answered: number | null = null;
  socket.on('error', () => socket.destroy()).on('end', () => socket.end());
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
    // Every client sends the same two bytes as its body.
    const [, kind, row] = /^POST \/(row|next)\/(\d+) .*\r\n\r\n\{\}$/s.exec(received) ?? [];
    if (kind === undefined) return;
    received = '';
    if (kind === 'next') {
      if (answered === Number(row)) kept.add(answered);
      socket.end(NEXT);
      return;
    }
    answered = Number(row);
    socket.write(responses[answered] ?? '', 'latin1');
    // biome-ignore lint/plugin: a client that waits for more bytes cannot be seen waiting
    setTimeout(() => socket.end(), END_AFTER_MS);
  });
}
