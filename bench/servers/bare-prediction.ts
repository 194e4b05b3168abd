import { randomUUID } from 'node:crypto';
import { serveBareWrite } from './bare-write.ts';
import { mintOfRound, type PredictionRequest, readBalance, storePrediction } from './peer-prediction.ts';

/** Accounts by `Authorization` header. */
const accounts = JSON.parse(process.env.BENCH_ACCOUNTS ?? '{}') as Record<string, string>;

/** The least that a durable prediction can do: read the balance from the node, then one statement. */
serveBareWrite({
  route: '/api/v2/predictions',
  status: 201,
  async step(body) {
    const prediction = body as PredictionRequest;
    const mint = await mintOfRound(prediction.roundId);
    if (mint === undefined) return null;
    return { request: prediction, balance: await readBalance(prediction.walletAddress, mint) };
  },
  store(input, { headers }, texts) {
    const accountId = accounts[headers.get('authorization') ?? ''] ?? '';
    const idempotencyKey = headers.get('idempotency-key') ?? '';
    return storePrediction({ ...input, ...texts, id: randomUUID(), accountId, idempotencyKey });
  },
});
