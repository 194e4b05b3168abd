import { expect, test } from 'bun:test';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TcpLink } from '../../sandbox/services/tcp-link.ts';
import { atEnd } from '../support/run/cleanup.ts';
import { eventually } from '../support/run/eventually.ts';

/** A server that answers each piece of data with its name and the data. */
async function echo(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => socket.write(`${name} ${bytes}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Client {
  readonly socket: Socket;
  heard: string;
  isClosed: boolean;
}

async function clientOf({ port }: TcpLink): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  const client: Client = { socket, heard: '', isClosed: false };
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    client.heard += bytes;
  });
  socket.on('close', () => {
    client.isClosed = true;
  });
  atEnd(async () => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return client;
}

async function open(...ports: number[]): Promise<TcpLink> {
  const link = await TcpLink.open('link', ports);
  atEnd(async () => link.close());
  return link;
}

test('a silent link holds bytes in both directions, and passes them on in order when it is mended', async () => {
  const link = await open(await echo('one'));
  const client = await clientOf(link);
  client.socket.write('a');
  await eventually('an answer', async () => client.heard === 'one a');
  link.set({ mode: 'silent' });
  client.socket.write('b');
  const late = await clientOf(link);
  late.socket.write('c');
  // A third connection that is open shows that the link has seen the bytes of the others.
  const other = await open(await echo('other'));
  const witness = await clientOf(other);
  witness.socket.write('d');
  await eventually('the witness', async () => witness.heard === 'other d');
  expect(client.heard).toBe('one a');
  expect(late.heard).toBe('');
  link.mend();
  await eventually('what was held', async () => client.heard === 'one aone b' && late.heard === 'one c');
  expect(client.isClosed).toBe(false);
});

test('a slow link passes everything on, in order', async () => {
  const link = await open(await echo('one'));
  link.set({ mode: 'slow', delayMs: 5 });
  const client = await clientOf(link);
  const sent = Array.from({ length: 20 }, (_, at) => String.fromCharCode(97 + at));
  for (const letter of sent) client.socket.write(letter);
  await eventually('all of it', async () => client.heard.replaceAll('one ', '') === sent.join(''));
});

test('a refusing link ends its connections and takes none, until it is mended', async () => {
  const link = await open(await echo('one'));
  const client = await clientOf(link);
  link.set({ mode: 'refused' });
  await eventually('the end', async () => client.isClosed);
  const refused = await clientOf(link);
  await eventually('the refusal', async () => refused.isClosed);
  link.mend();
  const again = await clientOf(link);
  again.socket.write('a');
  await eventually('an answer', async () => again.heard === 'one a');
});

test('a link with several ports passes by those that refuse', async () => {
  const link = await open(9, await echo('two'));
  for (const letter of ['a', 'b', 'c']) {
    const client = await clientOf(link);
    client.socket.write(letter);
    await eventually('an answer', async () => client.heard === `two ${letter}`);
  }
});

test('a link that is pointed elsewhere ends its connections, and leads there', async () => {
  const link = await open(await echo('one'));
  const client = await clientOf(link);
  link.set({ mode: 'refused' });
  link.pointTo(await echo('two'));
  await eventually('the end', async () => client.isClosed);
  const other = await clientOf(link);
  other.socket.write('a');
  await eventually('an answer', async () => other.heard === 'two a');
});
