import { connect, type Socket } from 'node:net';
import { isComplete, parseResponse, type RawResponse } from './raw-http.ts';

export interface KeepAliveRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/**
 * Keeps one connection alive, like a proxy. It sends one request after another and never repeats one. It
 * leaves a connection only after `Connection: close`, or when the server has closed it. A connection that
 * ends during a request is a failure.
 */
export class KeepAliveClient {
  readonly #port: () => number;
  #socket: Socket | null = null;
  /** The number of connections that a response ended. */
  toldToLeave = 0;

  /** @param port returns the port of the next connection */
  constructor(port: () => number) {
    this.#port = port;
  }

  async send({ method, path, headers = {}, body = '' }: KeepAliveRequest): Promise<RawResponse> {
    this.#socket ??= await this.#connect();
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const lines = Object.entries({ host: 'api.test', ...headers, ...length }).map((line) => line.join(': '));
    const answered = answerOn(this.#socket);
    this.#socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
    const response = await answered;
    if (response.headers.get('connection') === 'close') {
      this.toldToLeave += 1;
      this.close();
    }
    return response;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  #connect(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port(), '127.0.0.1', () => resolve(socket));
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.once('close', () => {
        if (this.#socket === socket) this.#socket = null;
      });
    });
  }
}

function answerOn(socket: Socket): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      if (isComplete(bytes)) settle(() => resolve(parseResponse(bytes)));
    };
    const lose = () => settle(() => reject(new Error(`the connection ended after ${bytes.length} bytes`)));
    const settle = (end: () => void) => {
      socket.off('data', take).off('close', lose).off('error', lose);
      end();
    };
    socket.on('data', take).on('close', lose).on('error', lose);
  });
}
