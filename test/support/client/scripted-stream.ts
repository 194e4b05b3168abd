import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../run/cleanup.ts';

export interface StreamRequest {
  topics: string | null;
  cursor: string | null;
  authorization: string | undefined;
  response: ServerResponse;
  closed: Promise<void>;
}

/** A stream of server-sent events (contract/streams) whose bytes the test decides. */
export async function startScriptedStream(
  onOpen: (request: StreamRequest, index: number) => void,
): Promise<{ origin: string; requests: StreamRequest[] }> {
  const requests: StreamRequest[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const { searchParams } = new URL(url, 'http://stream.test');
    const closed = new Promise<void>((resolve) => void response.once('close', resolve));
    const { authorization } = headers;
    const facts = { topics: searchParams.get('topics'), cursor: searchParams.get('cursor') };
    const request = { ...facts, authorization, response, closed };
    requests.push(request);
    onOpen(request, requests.length - 1);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Messages as the service writes them. */
export function sse(...messages: readonly { event: string; id?: string }[]): string {
  return messages
    .map((message) => {
      const id = message.id === undefined ? '' : `id: ${message.id}\n`;
      return `event: ${message.event}\n${id}data: ${JSON.stringify(message)}\n\n`;
    })
    .join('');
}

/** Opens the stream and writes the text. */
export function begin({ response }: StreamRequest, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
}
