import { pathOf, queryOf } from '../../src/http/request-address.ts';
import { eventCatalogue, eventNames, eventType } from '../../src/shared/events/catalogue.ts';
import { type ApiGatewayOptions, passImageOn, passOn } from './api-gateway.ts';
import { respondToKill } from './api-kills.ts';
import type { ApiProcess } from './api-process.ts';
import { streamDeliveries } from './delivery-stream.ts';
import type { DemoWallet } from './demo-wallet.ts';
import { pageFile } from './page-files.ts';
import type { ReceivedDeliveries, ReceivedDelivery } from './received-deliveries.ts';
import { verifyDelivery } from './verify-delivery.ts';
import { WalletRequests } from './wallet-requests.ts';

/** That of an image (contract/images#image): the api refuses a larger one with a reason, which the page shows. */
const BODY_BYTES_MAX = 6 * 1024 * 1024;
/** Twice the size limit of an event (contract/events#envelope). */
const DELIVERY_BYTES_MAX = 128 * 1024;
/** The first delivery may arrive before the response to the registration. */
const SECRET_WAIT_MS = 8_000;
const WAIT_SECONDS_MAX = 60;

const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

export interface InboxServerOptions {
  readonly port: number;
  readonly deliveries: ReceivedDeliveries;
  /** The endpoint's secret, once the api has returned it. */
  readonly secret: Promise<string>;
  readonly api: Omit<ApiGatewayOptions, 'headers'>;
  /** Signs what the forms of the page ask for. If unset, the page only reads. */
  readonly wallet?: DemoWallet | undefined;
  /** The page may kill it. */
  readonly apiProcess?: ApiProcess | undefined;
}

/** Events that every account gets, whoever caused them. */
const PUBLIC_TYPES = eventNames.filter((name) => eventCatalogue[name].audience === 'public').map(eventType);

/**
 * The inbox on loopback: `POST /webhooks` for the relay, JSON for programs, and the page that shows the sandbox live, with
 * its reads of the api.
 */
export function serveInbox({
  port,
  deliveries,
  secret,
  api,
  wallet,
  apiProcess,
}: InboxServerOptions): Bun.Server<undefined> {
  const walletRequests = new WalletRequests({ api, wallet: wallet ?? null, headers: SECURITY_HEADERS });
  return Bun.serve({
    hostname: '127.0.0.1',
    port,
    maxRequestBodySize: BODY_BYTES_MAX,
    async fetch(request, server) {
      const pathname = pathOf(request);
      const host = request.headers.get('host')?.toLowerCase();
      // DNS rebinding: a foreign name that resolves to 127.0.0.1 must not read the deliveries in a browser here.
      if (host !== `127.0.0.1:${server.port}` && host !== `localhost:${server.port}`)
        return emptyResponse(421);
      const route = `${request.method} ${pathname}`;
      switch (route) {
        case 'POST /webhooks':
          return receive(request, deliveries, secret);
        case 'GET /deliveries':
          server.timeout(request, WAIT_SECONDS_MAX + 5);
          return Response.json(
            { data: await listDeliveries(deliveries, new URLSearchParams(queryOf(request)), request.signal) },
            { headers: SECURITY_HEADERS },
          );
        case 'GET /deliveries/stream':
          server.timeout(request, 0);
          return streamDeliveries(deliveries, SECURITY_HEADERS);
        case 'GET /addresses':
          return Response.json(
            {
              api: api.baseUrl,
              docs: new URL('/docs', api.baseUrl).href,
              wallet: wallet?.address ?? null,
              publicTypes: PUBLIC_TYPES,
              canKillApi: apiProcess?.isSupervised() ?? false,
            },
            { headers: SECURITY_HEADERS },
          );
        default: {
          const file = request.method === 'GET' ? pageFile(pathname, SECURITY_HEADERS) : null;
          if (file !== null) return file;
          server.timeout(request, 0);
          const passed = { ...api, headers: SECURITY_HEADERS };
          return (
            (await passOn(request, passed)) ??
            (await passImageOn(request, passed)) ??
            (await walletRequests.respond(request)) ??
            (await respondToKill(request, apiProcess, SECURITY_HEADERS)) ??
            emptyResponse(404)
          );
        }
      }
    },
  });
}

/** Deliveries that fit `type`, `subject` and `verified=true`. With `wait=N` the answer waits up to N seconds for one. */
function listDeliveries(
  deliveries: ReceivedDeliveries,
  query: URLSearchParams,
  gone: AbortSignal,
): Promise<ReceivedDelivery[]> {
  const filter = {
    type: query.get('type'),
    subject: query.get('subject'),
    verified: query.get('verified') === 'true',
  };
  const seconds = Math.min(Math.max(Number(query.get('wait')) || 0, 0), WAIT_SECONDS_MAX);
  return deliveries.listOnce(filter, AbortSignal.any([gone, AbortSignal.timeout(seconds * 1_000)]));
}

/**
 * 204 for a valid signature, 400 for an invalid one, 413 for a body that no event has, 503 while there is no secret, so
 * that the relay retries.
 */
async function receive(
  request: Request,
  deliveries: ReceivedDeliveries,
  secret: Promise<string>,
): Promise<Response> {
  const body = await request.text();
  if (body.length > DELIVERY_BYTES_MAX) return emptyResponse(413);
  const known = await Promise.race([secret, Bun.sleep(SECRET_WAIT_MS)]);
  if (known === undefined) return emptyResponse(503);
  const delivery = verifyDelivery(body, request.headers, known, new Date());
  deliveries.add(delivery);
  return emptyResponse(delivery.verified ? 204 : 400);
}

function emptyResponse(status: number): Response {
  return new Response(null, { status, headers: SECURITY_HEADERS });
}
