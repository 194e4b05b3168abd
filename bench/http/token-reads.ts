import type { BenchCase, CaseOptions } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { allPeers } from './peers.ts';
import { measureRead, type ReadRequest } from './read-case.ts';
import { storeToken } from './stored-token.ts';

const CONNECTIONS = 32;
const LIST_LENGTH = 20;

/** Options that the cases of this file share. */
const cached = { status: 200, ratePerSecond: 3_000, connections: CONNECTIONS } as const;

/** `getToken` from the cache of serialised bytes. */
export const getToken: BenchCase = (options) =>
  withTokens(1, options, ([mint = '']) => ({
    ...cached,
    name: 'getToken, cached',
    path: `/api/v2/tokens/${mint}`,
    route: '/api/v2/tokens/:mint',
    contains: mint,
    cacheKey: `/api/v2/tokens/${mint}`,
    peers: allPeers,
  }));

/** The first page of `listTokens`, 20 tokens, from the cache. */
export const listTokens: BenchCase = (options) =>
  withTokens(LIST_LENGTH + 1, options, ([mint = '']) => ({ ...listRequest, contains: mint }));

/** The page for a client that already has it: 304. */
export const listTokensNotModified: BenchCase = (options) =>
  withTokens(LIST_LENGTH + 1, options, () => ({
    ...listRequest,
    name: 'listTokens, 304',
    status: 304,
    contains: '',
    sendsEtag: true,
    // The peers of the page itself say how they compare: a 304 is the same without a body.
    peers: [],
  }));

const listRequest: ReadRequest = {
  ...cached,
  name: `listTokens, ${LIST_LENGTH} tokens, cached`,
  path: `/api/v2/tokens?limit=${LIST_LENGTH}`,
  route: '/api/v2/tokens',
  contains: '"hasMore":true',
  cacheKey: `/api/v2/tokens?limit=${LIST_LENGTH}&status=`,
};

async function withTokens(
  count: number,
  options: CaseOptions,
  describe: (mints: readonly string[]) => ReadRequest,
) {
  const environment = await createBenchEnvironment();
  try {
    const mints: string[] = [];
    for (let index = 0; index < count; index += 1) mints.unshift(await storeToken(environment.database));
    return await measureRead(environment, describe(mints), options);
  } finally {
    await environment.close();
  }
}
