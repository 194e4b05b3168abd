// Node runs this: receivers on Express 4, Express 5 and Fastify, each on a port of its own. Writes the ports as a line of
// JSON. The path says what the receiver does; the argument is the body in gzip, in base64.
import express from 'express';
import express4 from 'express-4';
import fastify from 'fastify';

const KEEP_ALIVE_MS = 600_000;

/** What a receiver does with the response of Node's server. */
const behaviours = {
  empty: (response) => response.writeHead(204).end(),
  close: (response) => response.writeHead(200, { connection: 'close' }).end('close'),
  drop(response) {
    const { socket } = response;
    response.on('finish', () => socket.end());
    response.end('drop');
  },
  interim(response) {
    response.writeContinue();
    response.writeProcessing();
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.end('interim');
  },
  trailers(response) {
    response.writeHead(200, { trailer: 'x-sum' });
    response.write('trail');
    response.addTrailers({ 'x-sum': '1' });
    response.end('ers');
  },
  chunked(response) {
    for (const piece of ['ch', 'unk', 'ed']) response.write(piece);
    response.end();
  },
  large: (response) => response.end('large'.repeat(40_000)),
  drip(response) {
    const pieces = [...'drip'];
    // biome-ignore lint/plugin: a slow receiver takes its time
    const timer = setInterval(() => {
      response.write(pieces.shift());
      if (pieces.length > 0) return;
      clearInterval(timer);
      response.end();
    }, 20);
  },
  gzip: (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.from(process.argv[2], 'base64')),
};

/** Nothing reads the body before the handlers, so all of them answer early. */
async function onExpress(create) {
  const app = create();
  app.post('/plain', (_request, response) => response.send('plain'));
  app.post('/early', (_request, response) => response.send('early'));
  app.post('/read', create.raw({ type: () => true }), (request, response) =>
    response.json(request.body.length > 0),
  );
  app.post('/throws', () => {
    throw new Error('of the receiver');
  });
  for (const [name, behave] of Object.entries(behaviours))
    app.post(`/${name}`, (_request, response) => behave(response));
  const server = app.listen(0, '127.0.0.1');
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address().port;
}

async function onFastify() {
  const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS });
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.post('/plain', async () => 'plain');
  app.post('/early', { onRequest: (_request, reply) => reply.send('early') }, async () => 'late');
  app.post('/read', async ({ body }) => body.length > 0);
  app.post('/throws', async () => {
    throw new Error('of the receiver');
  });
  for (const [name, behave] of Object.entries(behaviours))
    app.post(`/${name}`, (_request, reply) => {
      reply.hijack();
      behave(reply.raw);
    });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server.address().port;
}

const ports = {
  'Express 4': await onExpress(express4),
  'Express 5': await onExpress(express),
  Fastify: await onFastify(),
};
process.stdout.write(`${JSON.stringify(ports)}\n`);
