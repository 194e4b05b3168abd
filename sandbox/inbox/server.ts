import { join } from 'node:path';
import { streamDeliveries } from './delivery-stream.ts';
import type { ReceivedDeliveries } from './received-deliveries.ts';
import { judgeDelivery } from './verify-delivery.ts';

const PAGE = join(import.meta.dir, 'page');
/** Twice what an event may have (contract/events#envelope). */
const LONGEST_BODY_BYTES = 128 * 1024;
/** The first delivery may come before the answer to the registration. */
const SECRET_WAIT_MS = 8_000;

const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

export interface InboxServerOptions {
  readonly port: number;
  readonly deliveries: ReceivedDeliveries;
  /** Of our endpoint, when the api has told it. */
  readonly secret: Promise<string>;
}

/** The inbox on loopback: `POST /webhooks` for the relay, a page and its JSON for people and programs. */
export function serveInbox({ port, deliveries, secret }: InboxServerOptions): Bun.Server<undefined> {
  return Bun.serve({
    hostname: '127.0.0.1',
    port,
    maxRequestBodySize: LONGEST_BODY_BYTES,
    async fetch(request, server) {
      const { pathname, searchParams, host } = new URL(request.url);
      // A name that somebody else points at 127.0.0.1 must not read the deliveries in a browser here.
      if (host !== `127.0.0.1:${server.port}` && host !== `localhost:${server.port}`) return answer(421);
      const route = `${request.method} ${pathname}`;
      switch (route) {
        case 'POST /webhooks':
          return receive(request, deliveries, secret);
        case 'GET /deliveries': {
          const filter = { type: searchParams.get('type'), subject: searchParams.get('subject') };
          return Response.json({ data: deliveries.list(filter) }, { headers: SECURITY_HEADERS });
        }
        case 'GET /deliveries/stream':
          server.timeout(request, 0);
          return streamDeliveries(deliveries, SECURITY_HEADERS);
        case 'GET /':
          return file('page.html', 'text/html; charset=utf-8');
        case 'GET /page.js':
          return file('page.js', 'text/javascript; charset=utf-8');
        case 'GET /page.css':
          return file('page.css', 'text/css; charset=utf-8');
        default:
          return answer(404);
      }
    },
  });
}

/** 204 to what verifies, 400 to what does not, 503 before there is a secret: the relay comes again. */
async function receive(
  request: Request,
  deliveries: ReceivedDeliveries,
  secret: Promise<string>,
): Promise<Response> {
  const body = await request.text();
  const known = await Promise.race([secret, Bun.sleep(SECRET_WAIT_MS)]);
  if (known === undefined) return answer(503);
  const delivery = judgeDelivery(body, request.headers, known, new Date());
  deliveries.add(delivery);
  return answer(delivery.verified ? 204 : 400);
}

function file(name: string, contentType: string): Response {
  return new Response(Bun.file(join(PAGE, name)), {
    headers: { ...SECURITY_HEADERS, 'Content-Type': contentType },
  });
}

function answer(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS });
}
