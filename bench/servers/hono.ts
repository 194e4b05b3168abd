import type { TObject } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { type Context, Hono } from 'hono';
import { getConnInfo } from 'hono/bun';
import { createMiddleware } from 'hono/factory';
import { authenticate, operationParams, readOperation } from './peer-database.ts';
import { logWrite } from './peer-log.ts';
import { loadCachedReplies, publicReads, responseHeaders, takeFromLimit } from './peer-work.ts';
import { peerWrites } from './peer-writes.ts';

/** The peer on Bun: Hono with compiled TypeBox validation, over the same cached bytes and statements. */
interface Variables {
  startedAtMs: number;
  client: string;
  rate: Record<string, string>;
}
type PeerContext = Context<{ Variables: Variables }>;

const app = new Hono<{ Variables: Variables }>();
const replies = loadCachedReplies();

const admission = createMiddleware<{ Variables: Variables }>(async (context, next) => {
  context.set('startedAtMs', performance.now());
  const client = getConnInfo(context).remote.address ?? '';
  const rate = takeFromLimit(client);
  if (rate === null) return context.json({ code: 'rate_limit_exceeded' }, 429);
  context.set('client', client);
  context.set('rate', rate);
  return next();
});

app.get('/healthz', (context) => context.text('ok'));
app.use('/api/*', admission);

for (const read of publicReads) {
  const checkParams = read.params && TypeCompiler.Compile(read.params);
  const checkQuery = read.query && TypeCompiler.Compile(read.query);
  app.get(read.path, (context) => {
    const params = context.req.param() as Record<string, string>;
    if (checkParams?.Check(params) === false) return context.json({ code: 'validation_failed' }, 422);
    const query = read.query === undefined ? {} : readQuery(context, read.query);
    if (checkQuery?.Check(query) === false) return context.json({ code: 'validation_failed' }, 422);
    return respondPublic(context, read.cacheKey(params, query));
  });
}

/** Integers and defaults as the schema has them; everything else stays text. */
function readQuery(context: PeerContext, schema: TObject): Record<string, unknown> {
  const given = context.req.query();
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = given[name];
    if (text !== undefined) query[name] = property.type === 'integer' ? Number(text) : text;
    else if (property.default !== undefined) query[name] = property.default;
  }
  return query;
}

function respondPublic(context: PeerContext, key: string): Response {
  const cached = replies.get(key);
  if (cached === undefined) return context.json({ code: 'token_not_found' }, 404);
  const headers = {
    ...responseHeaders(context.get('rate'), context.get('startedAtMs')),
    ETag: cached.etag,
  };
  if (context.req.header('if-none-match') === cached.etag) return context.body(null, 304, headers);
  return context.body(cached.text, 200, headers);
}

const operationCheck = TypeCompiler.Compile(operationParams);
app.get('/api/v2/operations/:operationId', async (context) => {
  const params = context.req.param();
  if (!operationCheck.Check(params)) return context.json({ code: 'validation_failed' }, 422);
  const principal = await authenticate(context.req.header('authorization'));
  if (principal === null) return context.json({ code: 'invalid_api_key' }, 401);
  const operation = await readOperation(params.operationId, principal.accountId);
  if (operation === null) return context.json({ code: 'operation_not_found' }, 404);
  return context.body(JSON.stringify(operation), 200, {
    ...responseHeaders(context.get('rate'), context.get('startedAtMs')),
  });
});

for (const write of peerWrites) {
  const check = TypeCompiler.Compile(write.body);
  app.post(write.path, async (context) => {
    const principal = await authenticate(context.req.header('authorization'));
    if (principal === null) return context.json({ code: 'invalid_api_key' }, 401);
    const body: unknown = await context.req.json();
    if (!check.Check(body)) return context.json({ code: 'validation_failed' }, 422);
    const idempotencyKey = context.req.header('idempotency-key') ?? '';
    const params = context.req.param() as Record<string, string>;
    const accepted = await write.accept(principal, idempotencyKey, params, body);
    if (accepted === null) return context.json({ code: write.refusalCode }, 409);
    const { startedAtMs, client, rate } = context.var;
    const headers = { ...responseHeaders(rate, startedAtMs), ...accepted.headers };
    const { text } = accepted;
    logWrite({ write, principal, path: context.req.path, client, startedAtMs, headers, text });
    return context.body(text, write.status, headers);
  });
}

Bun.serve({ port: Number(process.env.PORT), hostname: '127.0.0.1', fetch: app.fetch });
