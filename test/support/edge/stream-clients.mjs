// Node runs this, because Bun replaces ws by code of its own. Follows a stream with the packages eventsource and ws, which
// connect again with the last cursor whenever they are cut, and prints a line for each trade: client and id.
// biome-ignore lint/plugin: a client that waits before its next connection
import { setTimeout as delay } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import WebSocket from 'ws';

const [url] = process.argv.slice(2);
const print = (client, { data }) => process.stdout.write(`${client} ${data.id}\n`);

const source = new EventSource(url);
source.addEventListener('ready', () => process.stdout.write('eventsource ready\n'));
source.addEventListener('trade', ({ data }) => print('eventsource', JSON.parse(data)));

let cursor = '';
for (;;) {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
  );
  socket.on('message', (bytes) => {
    const message = JSON.parse(bytes);
    cursor = message.id ?? cursor;
    if (message.event === 'ready') process.stdout.write('ws ready\n');
    if (message.event === 'trade') print('ws', message);
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  await delay(100);
}
