import { createTestKey } from '../../test/support/api/api-keys.ts';
import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { allPeers } from './peers.ts';
import { measureRead } from './read-case.ts';
import { storeOperation } from './stored-operation.ts';

/** `getOperation`, which bots poll: a key, one statement, one document. Only the key is cached. */
export const getOperation: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const key = await createTestKey(environment.database);
    const id = await storeOperation(environment.database, key.accountId);
    return await measureRead(
      environment,
      {
        name: 'getOperation, one statement',
        path: `/api/v2/operations/${id}`,
        route: '/api/v2/operations/:operationId',
        headers: key.header,
        status: 200,
        contains: id,
        ratePerSecond: 400,
        connections: 16,
        cacheKey: null,
        peers: allPeers,
      },
      options,
    );
  } finally {
    await environment.close();
  }
};
