import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface RawOptions {
  /** Bytes sent after the head, each with a pause before it. */
  parts?: readonly { text: string | Uint8Array; afterMs?: number }[];
  timeoutMs?: number;
  /** Whether the text received so far is the whole response; by default one with the length that it declares. */
  isEnd?: (text: string) => boolean;
}

/**
 * Sends raw bytes and reads until the server closes or one response is complete. This allows requests that no
 * HTTP client would send. Rejects on a timeout.
 */
export function sendRaw(
  origin: string,
  head: string,
  { parts = [], timeoutMs = 60_000, isEnd }: RawOptions = {},
): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, async () => {
      socket.write(head);
      for (const { text, afterMs = 0 } of parts) {
        // biome-ignore lint/plugin: a client that sends its body slowly
        if (afterMs > 0) await Bun.sleep(afterMs);
        if (!socket.writable) return;
        socket.write(text);
      }
    });
    // biome-ignore lint/plugin: ends a hang with a message
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parseResponse(Buffer.concat(chunks)));
    };
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const received = Buffer.concat(chunks);
      if (isEnd?.(received.toString()) ?? isComplete(received)) finish();
    });
    socket.on('close', finish);
    socket.on('error', (error) => {
      if (chunks.length > 0) return finish();
      clearTimeout(timer);
      reject(error);
    });
  });
}

export function isComplete(bytes: Buffer): boolean {
  const { headers, body } = parseResponse(bytes);
  const length = headers.get('content-length');
  return length !== undefined && Buffer.byteLength(body) >= Number(length);
}

export function parseResponse(bytes: Buffer): RawResponse {
  const text = bytes.toString();
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return { status: 0, headers: new Map(), body: '' };
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(statusLine.split(' ')[1] ?? 0), headers, body: text.slice(end + 4) };
}
