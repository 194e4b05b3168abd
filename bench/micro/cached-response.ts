import { Type } from '@sinclair/typebox';
import { ForwardingWatch } from '../../src/http/access/forwarding-watch.ts';
import { BodyBudget } from '../../src/http/bodies/body-budget.ts';
import { SerialisedCache } from '../../src/http/caches/serialised-cache.ts';
import { createMemoryRateLimiter } from '../../src/http/limits/rate-limiter.ts';
import { requestDeadlines } from '../../src/http/request-deadlines.ts';
import { createRequestHandler } from '../../src/http/request-pipeline.ts';
import { serialise } from '../../src/http/responses/conditional-reads.ts';
import { publicRead } from '../../src/http/route.ts';
import { ChangeWaits } from '../../src/http/waits/change-waits.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { MintPath } from '../../src/shared/field-schemas.ts';
import { Gate } from '../../src/shared/gate.ts';
import { createLogger } from '../../src/shared/log.ts';
import { defaultRateLimits } from '../../src/shared/rate-policies.ts';
import { type BenchCase, ratio } from '../cases/case.ts';
import { alternate } from '../measurement/rounds.ts';
import { timedVariant } from './timed-variant.ts';

const MINT = 'So11111111111111111111111111111111111111112';

/** The whole pipeline of a cached read in process (no socket, no router), beside building its `Response` alone. */
export const cachedResponse: BenchCase = async ({ rounds, roundMs }) => {
  const body = { mintAddress: MINT, description: 'x'.repeat(600) };
  const cache = new SerialisedCache({
    gate: new Gate({ runningMax: 1, waitingMax: 0, waitMaxMs: 0 }),
    maxAgeMs: 3_600_000,
    entriesMax: 10,
    nowMs: () => performance.now(),
  });
  await cache.get(
    { client: { name: 'bench', isKeyed: false }, freshness: 'granted' },
    MINT,
    async () => body,
  );
  const handle = cachedHandler(cache);
  const request = new Request(`http://localhost/api/v2/tokens/${MINT}`, {
    headers: { accept: 'application/json' },
  });
  const params = { mint: MINT };
  const first = await handle(request, params, () => '127.0.0.1');
  const { text } = serialise({ body });
  if ((await first.text()) !== text) throw new Error('the pipeline returns another body');
  const headers = new Headers(first.headers);
  const figures = await alternate(
    [
      timedVariant('ours: pipeline', roundMs, () => {
        const response = handle(request, params, () => '127.0.0.1');
        return response instanceof Response && response.status === 200;
      }),
      timedVariant(
        'native: new Response',
        roundMs,
        () => new Response(text, { status: 200, headers }).status === 200,
      ),
    ],
    rounds,
  );
  return {
    name: `cached response of ${text.length} bytes, in process`,
    figures,
    ratios: {
      'time, ours / native': ratio(figures, 'ours: pipeline', 'native: new Response', 'microsecondsPerCall'),
    },
  };
};

function cachedHandler(cache: SerialisedCache) {
  const unused = () => Promise.reject(new Error('a cached read needs no database'));
  const route = publicRead(
    {
      id: 'getToken',
      method: 'GET',
      path: '/tokens/:mint',
      tag: 'Tokens',
      summary: 'One visible token',
      description: '',
      auth: 'anonymous',
      ratePolicy: 'public-read-cheap',
      successStatus: 200,
      maxAgeSeconds: 5,
      params: MintPath,
      response: Type.Unknown(),
      problems: ['token_not_found'],
    },
    (reader) => cache.require(reader, reader.params.mint, unused, 'token_not_found'),
  );
  const log = createLogger('bench', 'silent');
  const generous = { limit: 1_000_000_000, windowSeconds: 60 };
  return createRequestHandler(route, {
    parseKey: () => null,
    keys: { find: unused, cached: () => undefined, isExpected: () => false, recent: () => undefined },
    environment: 'test',
    clock: systemClock,
    limiter: createMemoryRateLimiter(1, () => performance.now()),
    rateLimits: { ...defaultRateLimits, 'public-read-cheap': generous },
    trustedProxyHops: 0,
    bodies: new BodyBudget(),
    idempotency: { find: unused, run: unused },
    docsUrl: 'http://bench/docs',
    log,
    deadlines: requestDeadlines(log),
    waitDeadlines: requestDeadlines(log),
    waits: new ChangeWaits(),
    publicWaits: new ChangeWaits(),
    forwardingWatch: new ForwardingWatch(log),
  });
}
