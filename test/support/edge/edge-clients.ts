import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { debianExecutable } from '../../../sandbox/services/debian-executable.ts';
import { findExecutable } from '../../../sandbox/services/executable.ts';
import { silent } from '../../../sandbox/services/log.ts';

export interface EdgeRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The client reads a response without an end up to this text, and leaves. */
  until?: string;
}

export interface EdgeAnswer {
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Sends requests one after the other by somebody else's code.
 * @param host with its port
 */
export type EdgeClient = (host: string, requests: readonly EdgeRequest[]) => Promise<EdgeAnswer[]>;

export const edgeClients: Readonly<Record<string, EdgeClient>> = {
  undici: (host, requests) => sendByUndici(host, requests, 1),
  'http.client of Python': async (host, requests) =>
    answersOf(
      await output(
        await executable('python3'),
        [pathOf('http-client.py')],
        JSON.stringify({ host, requests }),
      ),
    ),
  curl: inTurn(sendByCurl),
  'HTTP/1.0': inTurn((host, request) => sendByOldHttp(host, request, [])),
  'HTTP/1.0 with keep-alive': inTurn((host, request) =>
    sendByOldHttp(host, request, ['Connection: keep-alive']),
  ),
};

/** @param pipelining how many requests are on the connection at once */
export async function sendByUndici(
  host: string,
  requests: readonly EdgeRequest[],
  pipelining: number,
): Promise<EdgeAnswer[]> {
  const input = JSON.stringify({ host, requests, pipelining });
  return answersOf(await output(await executable('node'), [pathOf('undici-client.mjs')], input));
}

function inTurn(send: (host: string, request: EdgeRequest) => Promise<EdgeAnswer>): EdgeClient {
  return async (host, requests) => {
    const answers: EdgeAnswer[] = [];
    for (const request of requests) answers.push(await send(host, request));
    return answers;
  };
}

async function sendByCurl(host: string, request: EdgeRequest): Promise<EdgeAnswer> {
  const { method, path, headers, body, until } = request;
  const args = [
    '--silent',
    '--show-error',
    '--no-buffer',
    '--include',
    ...(method === 'HEAD' ? ['--head'] : ['--request', method]),
    ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...(body === undefined ? [] : ['--data-binary', '@-']),
    `http://${host}${path}`,
  ];
  return parseAnswer(await output(await executable('curl'), args, body, until));
}

/** A client of HTTP/1.0 sends no Host, and reads until the server closes. */
function sendByOldHttp(host: string, request: EdgeRequest, more: readonly string[]): Promise<EdgeAnswer> {
  const { method, path, headers, body = '', until } = request;
  const lines = [
    `${method} ${path} HTTP/1.0`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...more,
  ];
  const [hostname, port] = host.split(':');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`),
    );
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (until !== undefined && Buffer.concat(chunks).includes(until)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks))));
  });
}

/** The final response in the bytes of a connection. */
function parseAnswer(bytes: Buffer): EdgeAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) throw new Error(`no response: ${bytes.toString()}`);
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const body = bytes.subarray(end + 4);
  if (status < 200) return parseAnswer(body);
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  return { status, headers, body };
}

function answersOf(bytes: Buffer): EdgeAnswer[] {
  const answers = JSON.parse(bytes.toString()) as (Omit<EdgeAnswer, 'body'> & { body: string })[];
  return answers.map(({ body, ...answer }) => ({ ...answer, body: Buffer.from(body, 'base64') }));
}

/** What a program prints, to its end or until it has printed a text. Rejects with what it says where it fails. */
function output(command: string, args: readonly string[], input = '', until?: string): Promise<Buffer> {
  const child = spawn(command, [...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const [printed, complaints]: [Buffer[], Buffer[]] = [[], []];
  let isEnough = false;
  child.stdout.on('data', (chunk) => {
    printed.push(chunk);
    isEnough ||= until !== undefined && Buffer.concat(printed).includes(until);
    if (isEnough) child.kill();
  });
  child.stderr.on('data', (chunk) => complaints.push(chunk));
  // One that has its response need not read all of its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 || isEnough) resolve(Buffer.concat(printed));
      else reject(new Error(`${command} ended with ${code}: ${Buffer.concat(complaints)}`));
    });
  });
}

/** The name of an executable is that of its Debian package, too. */
export async function executable(name: string): Promise<string> {
  const found = findExecutable(name) ?? (await debianExecutable(name, [name], silent));
  if (found === undefined) throw new Error(`${name} is missing and could not be installed`);
  return found;
}

export const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
