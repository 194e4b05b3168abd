import { type AddressInfo, createServer } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

/** A request as its bytes came, taken apart without any parser of HTTP. */
export interface CapturedRequest {
  headers: Record<string, string>;
  body: Buffer;
}

/** A receiver that answers 204 to every request and keeps the bytes; it ends with the tests. */
export async function captureRequests(): Promise<{ url: string; requests: CapturedRequest[] }> {
  const requests: CapturedRequest[] = [];
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const [, ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => {
          const [name = '', ...value] = line.split(': ');
          return [name.toLowerCase(), value.join(': ')];
        }),
      );
      const bodyStart = headEnd + '\r\n\r\n'.length;
      const bodyEnd = bodyStart + Number(headers['content-length']);
      if (received.length < bodyEnd) return;
      requests.push({ headers, body: received.subarray(bodyStart, bodyEnd) });
      received = received.subarray(bodyEnd);
      socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, requests };
}
