import { upsertToken } from '../../src/features/tokens/upsert.ts';
import { createOutbox } from '../../src/outbox/append.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { alternate } from '../measurement/rounds.ts';
import { type BenchCase, ratio } from './case.ts';
import { createBenchEnvironment } from './environment.ts';
import { httpVariant, wireRequest } from './http-variant.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const PATH = `/api/v2/tokens/${MINT}`;
const CONNECTIONS = 32;

/** Cached `getToken` beside a bare `Bun.serve` that answers the same bytes with the same headers. */
export const cachedToken: BenchCase = async ({ rounds, roundMs }) => {
  const environment = await createBenchEnvironment();
  try {
    await environment.database.begin((transaction) =>
      upsertToken(
        transaction,
        createOutbox({ source: 'http://bench', docsUrl: 'http://bench/docs' }, systemClock),
        systemClock,
        {
          mintAddress: MINT,
          creatorWallet: MINT,
          name: 'Benchmark',
          symbol: 'BENCH',
          description: 'A token of ordinary size, so that the answer has ordinary size. '.repeat(3),
          imageUrl: 'https://example.com/image.png',
          decimals: 6,
          totalSupply: '1000000000',
          launchType: 'dbc',
          status: 'bonding',
          links: { website: 'https://example.com', twitter: null, telegram: null },
        },
      ),
    );
    const api = await environment.startApi();
    const body = await (await fetch(`http://127.0.0.1:${api.port}${PATH}`)).text();
    if (!body.includes(MINT)) throw new Error('the api does not answer the token');
    const bare = await environment.startServer('bare-token.ts', { TOKEN_BODY: body });
    const request = wireRequest('GET', PATH, { accept: 'application/json', 'user-agent': 'bench' });
    const shared = { connections: CONNECTIONS, roundMs, expectedStatus: 200, nextRequest: () => request };
    const figures = await alternate(
      [
        httpVariant({ name: 'getToken, cached', server: api, ...shared }),
        httpVariant({ name: 'bare Bun.serve', server: bare, ...shared }),
      ],
      rounds,
    );
    return {
      name: `cached getToken, ${Buffer.byteLength(body)} bytes, ${CONNECTIONS} connections`,
      figures,
      ratios: {
        'throughput, ours / bare': ratio(figures, 'getToken, cached', 'bare Bun.serve', 'requestsPerSecond'),
        'p99, ours / bare': ratio(figures, 'getToken, cached', 'bare Bun.serve', 'p99Ms'),
        'server CPU, ours / bare': ratio(
          figures,
          'getToken, cached',
          'bare Bun.serve',
          'cpuMicrosecondsPerRequest',
        ),
      },
    };
  } finally {
    await environment.close();
  }
};
