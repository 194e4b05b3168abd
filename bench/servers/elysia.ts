import { Elysia, t } from 'elysia';
import { authenticate, readOperation, UUID } from './peer-database.ts';
import { logWrite } from './peer-log.ts';
import { addressPattern, loadCachedReplies, responseHeaders, takeFromLimit } from './peer-work.ts';
import { peerWrites } from './peer-writes.ts';

/**
 * The peer on Elysia, as its documentation shows it: its schemas validate, a derived property admits, a macro
 * authenticates. Over the same cached bytes and statements.
 */
const replies = loadCachedReplies();

const app = new Elysia()
  .get('/healthz', 'ok')
  .derive(({ request, server, status }) => {
    const startedAtMs = performance.now();
    const client = server?.requestIP(request)?.address ?? '';
    const rate = takeFromLimit(client);
    if (rate === null) return status(429, { code: 'rate_limit_exceeded' });
    return { startedAtMs, client, rate };
  })
  .macro({
    isKeyed: {
      async resolve({ headers, status }) {
        const principal = await authenticate(headers.authorization);
        return principal === null ? status(401, { code: 'invalid_api_key' }) : { principal };
      },
    },
  })
  .get(
    '/api/v2/tokens/:mint',
    ({ params: { mint }, headers, rate, startedAtMs, set, status }) => {
      const cached = replies.get(`/api/v2/tokens/${mint}`);
      if (cached === undefined) return status(404, { code: 'token_not_found' });
      Object.assign(set.headers, responseHeaders(rate, startedAtMs), { ETag: cached.etag });
      if (headers['if-none-match'] === cached.etag) return status(304);
      return cached.text;
    },
    { params: t.Object({ mint: t.String({ pattern: addressPattern }) }) },
  )
  .get(
    '/api/v2/operations/:operationId',
    async ({ params: { operationId }, principal, rate, startedAtMs, set, status }) => {
      const operation = await readOperation(operationId, principal.accountId);
      if (operation === null) return status(404, { code: 'operation_not_found' });
      Object.assign(set.headers, responseHeaders(rate, startedAtMs));
      return operation;
    },
    { isKeyed: true, params: t.Object({ operationId: t.String({ pattern: UUID }) }) },
  );

for (const write of peerWrites) {
  app.post(
    write.path,
    async ({ params, body, headers, path, principal, client, rate, startedAtMs, set, status }) => {
      const idempotencyKey = headers['idempotency-key'] ?? '';
      const accepted = await write.accept(principal, idempotencyKey, params, body);
      if (accepted === null) return status(409, { code: write.refusalCode });
      const sent = { ...responseHeaders(rate, startedAtMs), ...accepted.headers };
      const { text } = accepted;
      logWrite({ write, principal, path, client, startedAtMs, headers: sent, text });
      Object.assign(set.headers, sent);
      set.status = write.status;
      return text;
    },
    { isKeyed: true, body: write.body },
  );
}

app.listen({ port: Number(process.env.PORT), hostname: '127.0.0.1' });
