import { randomFillSync } from 'node:crypto';

/** The limit of a cached read: `Bun.serve` with one native route, the same bytes and the same headers. */
const body = process.env.TOKEN_BODY ?? '';
const random = Buffer.alloc(48);

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    '/api/v2/tokens/:mint': () => {
      const hex = randomFillSync(random).toString('hex');
      return new Response(body, {
        headers: {
          'X-Request-Id': `req_${hex.slice(0, 32)}`,
          'X-Service-Api-Version': '2',
          'X-Duration-Ms': '0',
          traceparent: `00-${hex.slice(32, 64)}-${hex.slice(64, 80)}-01`,
          'X-RateLimit-Policy': 'public-read-cheap',
          'X-RateLimit-Limit': '100000000',
          'X-RateLimit-Remaining': '99999999',
          'X-RateLimit-Reset': '1',
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Expose-Headers':
            'X-Request-Id, X-Service-Api-Version, X-Duration-Ms, X-RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, ETag, traceparent',
          'Cache-Control': 'public, max-age=5',
          ETag: '"7rltMiK-vx_0DqgT0v-gXE"',
          'Content-Type': 'application/json; charset=utf-8',
        },
      });
    },
  },
});
