import { randomFillSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Server } from 'bun';

/** The response of the limit of one case: captured from the product, so that both send the same bytes and headers. */
export interface BareReply {
  /** Route of Bun's native router. */
  path: string;
  method: string;
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/**
 * The limit of a response: `Bun.serve` with one native route and a constant response. Headers are one reused object, the
 * fastest way (thirteen in a plain object cost 6 µs per request); only the random ones are set.
 *
 * With `BENCH_FLOOR` it is the floor of a read: it also asks for the peer's address and for one header, which every
 * server with a limiter and conditional reads has to do.
 */
const { path, method, status, headers, body } = JSON.parse(
  readFileSync(process.env.BENCH_REPLY ?? '', 'utf8'),
) as BareReply;
const reused = new Headers(headers);
const random = Buffer.alloc(48);

function respond(): Response {
  const hex = randomFillSync(random).toString('hex');
  reused.set('X-Request-Id', `req_${hex.slice(0, 32)}`);
  reused.set('traceparent', `00-${hex.slice(32, 64)}-${hex.slice(64, 80)}-01`);
  return new Response(body, { status, headers: reused });
}

const isFloor = process.env.BENCH_FLOOR === 'true';
/** Uses what the floor asks for, so that no compiler can leave the calls out. */
let asked = 0;

function respondAsFloor(request: Request, server: Server<undefined>): Response {
  const address = server.requestIP(request)?.address ?? '';
  asked += address.length + (request.headers.get('authorization')?.length ?? 0);
  if (asked < 0) throw new Error('no length is negative');
  return respond();
}

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    [path]: {
      // Every server has to read the body before the next request.
      [method]: isFloor
        ? respondAsFloor
        : method === 'GET'
          ? respond
          : (request: Request) => request.arrayBuffer().then(respond),
    },
  },
});
