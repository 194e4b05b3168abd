import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { authenticate, operationParams, readOperation } from './peer-database.ts';
import { logWrite } from './peer-log.ts';
import {
  loadCachedReplies,
  type PublicRead,
  publicReads,
  responseHeaders,
  takeFromLimit,
} from './peer-work.ts';
import { peerWrites } from './peer-writes.ts';

/**
 * The peer on Node: Fastify with its own validation (ajv), header handling and hooks, over the same cached bytes and
 * statements.
 */
const app = fastify({ logger: false });
const replies = loadCachedReplies();

declare module 'fastify' {
  interface FastifyRequest {
    startedAtMs: number;
    rate: Record<string, string>;
  }
}
app.decorateRequest('startedAtMs', 0);
app.decorateRequest('rate');
app.addHook('onRequest', (request, reply, done) => {
  request.startedAtMs = performance.now();
  const rate = takeFromLimit(request.ip);
  if (rate === null) {
    void reply.code(429).send({ code: 'rate_limit_exceeded' });
    return;
  }
  request.rate = rate;
  done();
});

app.get('/healthz', () => 'ok');

for (const read of publicReads) {
  const schema = {
    ...(read.params && { params: read.params }),
    ...(read.query && { querystring: read.query }),
  };
  app.get(read.path, { schema }, (request, reply) => respondPublic(read, request, reply));
}

function respondPublic(read: PublicRead, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const key = read.cacheKey(
    request.params as Record<string, string>,
    request.query as Record<string, unknown>,
  );
  const cached = replies.get(key);
  if (cached === undefined) return reply.code(404).send({ code: 'token_not_found' });
  reply.headers(responseHeaders(request.rate, request.startedAtMs));
  reply.header('ETag', cached.etag);
  if (request.headers['if-none-match'] === cached.etag) return reply.code(304).send();
  return reply.send(cached.text);
}

app.get<{ Params: { operationId: string } }>(
  '/api/v2/operations/:operationId',
  { schema: { params: operationParams } },
  async (request, reply) => {
    const principal = await authenticate(request.headers.authorization);
    if (principal === null) return reply.code(401).send({ code: 'invalid_api_key' });
    const operation = await readOperation(request.params.operationId, principal.accountId);
    if (operation === null) return reply.code(404).send({ code: 'operation_not_found' });
    reply.headers(responseHeaders(request.rate, request.startedAtMs));
    return reply.send(JSON.stringify(operation));
  },
);

for (const write of peerWrites) {
  app.post(write.path, { schema: { body: write.body } }, async (request, reply) => {
    const principal = await authenticate(request.headers.authorization);
    if (principal === null) return reply.code(401).send({ code: 'invalid_api_key' });
    const idempotencyKey = String(request.headers['idempotency-key']);
    const params = request.params as Record<string, string>;
    const accepted = await write.accept(principal, idempotencyKey, params, request.body);
    if (accepted === null) return reply.code(409).send({ code: write.refusalCode });
    const { startedAtMs, rate, ip: client, url: path } = request;
    const headers = { ...responseHeaders(rate, startedAtMs), ...accepted.headers };
    const { text } = accepted;
    logWrite({ write, principal, path, client, startedAtMs, headers, text });
    return reply.headers(headers).code(write.status).send(text);
  });
}

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
