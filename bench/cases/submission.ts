import { Keypair } from '@solana/web3.js';
import { createTestKey } from '../../test/support/api-keys.ts';
import { createPreparedIntent, signWith } from '../../test/support/intents.ts';
import { alternate } from '../measurement/rounds.ts';
import { type BenchCase, ratio } from './case.ts';
import { createBenchEnvironment } from './environment.ts';
import { httpVariant, wireRequest } from './http-variant.ts';

const CONNECTIONS = 4;
/** More than any machine submits in a round; unused ones cost only their preparation. */
const INTENTS_PER_SECOND = 1_200;

/** Intent submission beside the least that could be durable: HTTP, one verification, one committed insert. */
export const submission: BenchCase = async ({ rounds, roundMs }) => {
  const environment = await createBenchEnvironment();
  try {
    const wallet = Keypair.generate();
    const key = await createTestKey(environment.database, { walletAddress: wallet.publicKey.toBase58() });
    const requests = await signedSubmissions(
      environment.database,
      key,
      wallet,
      Math.ceil((rounds * roundMs * INTENTS_PER_SECOND) / 1000),
    );
    const api = await environment.startApi();
    const bare = await environment.startServer('bare-submission.ts');
    await environment.database`create table bench_submissions (id bigint generated always as identity, body bytea)`;
    const sample = requests[0];
    if (sample === undefined) throw new Error('no submissions were prepared');
    const shared = { connections: CONNECTIONS, roundMs, expectedStatus: 202 };
    const figures = await alternate(
      [
        httpVariant({
          name: 'submitTransactionIntent',
          server: api,
          ...shared,
          nextRequest: () => requests.pop(),
        }),
        httpVariant({
          name: 'bare HTTP + verify + insert',
          server: bare,
          ...shared,
          nextRequest: () => sample,
        }),
      ],
      rounds,
    );
    if (requests.length === 0) throw new Error('the prepared submissions ran out: raise INTENTS_PER_SECOND');
    return {
      name: `intent submission, ${CONNECTIONS} connections, fsync on`,
      figures,
      ratios: {
        'throughput, ours / bare': ratio(
          figures,
          'submitTransactionIntent',
          'bare HTTP + verify + insert',
          'requestsPerSecond',
        ),
        'p50, ours / bare': ratio(figures, 'submitTransactionIntent', 'bare HTTP + verify + insert', 'p50Ms'),
        'server CPU, ours / bare': ratio(
          figures,
          'submitTransactionIntent',
          'bare HTTP + verify + insert',
          'cpuMicrosecondsPerRequest',
        ),
      },
    };
  } finally {
    await environment.close();
  }
};

async function signedSubmissions(
  database: Parameters<typeof createPreparedIntent>[0],
  key: { accountId: string; text: string },
  wallet: Keypair,
  count: number,
): Promise<Uint8Array[]> {
  const requests: Uint8Array[] = [];
  for (let index = 0; index < count; index += 1) {
    const options = { accountId: key.accountId, wallet, expiresInMs: 3_600_000 };
    const { id, unsigned } = await createPreparedIntent(database, options);
    const signedTransaction = Buffer.from(signWith(unsigned, wallet)).toString('base64');
    const headers = {
      authorization: `Bearer ${key.text}`,
      'content-type': 'application/json',
      'idempotency-key': `bench-${String(index).padStart(8, '0')}`,
      'if-match': '"1"',
    };
    const path = `/api/v2/transaction-intents/${id}/submissions`;
    requests.push(wireRequest('POST', path, headers, JSON.stringify({ signedTransaction })));
  }
  return requests;
}
