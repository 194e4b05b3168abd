import { TypeCompiler } from '@sinclair/typebox/compiler';
import type { BunRequest, Server } from 'bun';
import { authenticate, type Principal, readOperation, UUID } from './peer-database.ts';
import { logWrite } from './peer-log.ts';
import { changingHeaders, constantHeaders, loadCachedReplies, takeFromLimit } from './peer-work.ts';
import { type PeerWrite, peerWrites } from './peer-writes.ts';

/**
 * The strong peer: Bun alone, without a framework. Its server's routes, its client of Postgres, and headers in an object
 * that is reused, which is the fastest way.
 */
interface Admitted {
  startedAtMs: number;
  client: string;
  rate: Record<string, string>;
}
type Handler = (request: BunRequest, admitted: Admitted) => Response | Promise<Response>;

const replies = loadCachedReplies();
const isUuid = new RegExp(UUID);
const refuse = (status: number, code: string) => Response.json({ code }, { status });

/** Responses of one route, which set the same headers each time. */
function createResponder() {
  const headers = new Headers(constantHeaders);
  return (body: string | null, status: number, changing: Record<string, string>): Response => {
    for (const name in changing) headers.set(name, changing[name] ?? '');
    return new Response(body, { status, headers });
  };
}

const limited = (handle: Handler) => (request: BunRequest, server: Server<undefined>) => {
  const startedAtMs = performance.now();
  const client = server.requestIP(request)?.address ?? '';
  const rate = takeFromLimit(client);
  return rate === null ? refuse(429, 'rate_limit_exceeded') : handle(request, { startedAtMs, client, rate });
};

const keyed = (
  handle: (request: BunRequest, admitted: Admitted, principal: Principal) => Promise<Response>,
) =>
  limited(async (request, admitted) => {
    const principal = await authenticate(request.headers.get('authorization'));
    return principal === null ? refuse(401, 'invalid_api_key') : handle(request, admitted, principal);
  });

const respondToken = createResponder();
const readToken = limited((request, { rate, startedAtMs }) => {
  const { mint = '' } = request.params as Record<string, string>;
  const cached = replies.get(`/api/v2/tokens/${mint}`);
  if (cached === undefined) return refuse(404, 'token_not_found');
  const headers = { ...changingHeaders(rate, startedAtMs), ETag: cached.etag };
  const isKnown = request.headers.get('if-none-match') === cached.etag;
  return isKnown ? respondToken(null, 304, headers) : respondToken(cached.text, 200, headers);
});

const respondOperation = createResponder();
const readOne = keyed(async (request, { rate, startedAtMs }, { accountId }) => {
  const { operationId = '' } = request.params as Record<string, string>;
  if (!isUuid.test(operationId)) return refuse(422, 'validation_failed');
  const operation = await readOperation(operationId, accountId);
  if (operation === null) return refuse(404, 'operation_not_found');
  return respondOperation(JSON.stringify(operation), 200, changingHeaders(rate, startedAtMs));
});

function accept(write: PeerWrite) {
  const check = TypeCompiler.Compile(write.body);
  const respond = createResponder();
  return keyed(async (request, admitted, principal) => {
    const body: unknown = await request.json();
    if (!check.Check(body)) return refuse(422, 'validation_failed');
    const idempotencyKey = request.headers.get('idempotency-key') ?? '';
    const params = request.params as Record<string, string>;
    const accepted = await write.accept(principal, idempotencyKey, params, body);
    if (accepted === null) return refuse(409, write.refusalCode);
    const { text } = accepted;
    const headers = { ...changingHeaders(admitted.rate, admitted.startedAtMs), ...accepted.headers };
    const path = new URL(request.url).pathname;
    logWrite({ write, principal, path, headers, text, ...admitted });
    return respond(text, write.status, headers);
  });
}

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': new Response('ok'),
    '/api/v2/tokens/:mint': { GET: readToken },
    '/api/v2/operations/:operationId': { GET: readOne },
    ...Object.fromEntries(peerWrites.map((write) => [write.path, { POST: accept(write) }])),
  },
});
