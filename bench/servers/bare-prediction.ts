import { randomUUID } from 'node:crypto';
import { mintOfRound, type PredictionRequest, readBalance, storePrediction } from './peer-prediction.ts';

/**
 * The least a durable prediction can do, in steps that a case measures apart: `BENCH_STEPS` is `balance` (read the body
 * and ask the node) or `store` (also everything durable in one statement). Accounts by key: `BENCH_ACCOUNTS`, JSON.
 */
const stores = process.env.BENCH_STEPS === 'store';
const accounts = JSON.parse(process.env.BENCH_ACCOUNTS ?? '{}') as Record<string, string>;
const response = process.env.BENCH_RESPONSE ?? '';
const event = process.env.BENCH_EVENT ?? '';
const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' });

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    '/api/v2/predictions': {
      POST: async (request) => {
        const prediction = (await request.json()) as PredictionRequest;
        const mint = await mintOfRound(prediction.roundId);
        if (mint === undefined) return new Response('no round', { status: 404 });
        const balance = await readBalance(prediction.walletAddress, mint);
        if (stores) {
          const accountId = accounts[request.headers.get('authorization') ?? ''] ?? '';
          const idempotencyKey = request.headers.get('idempotency-key') ?? '';
          const id = randomUUID();
          const stored = { id, accountId, idempotencyKey, request: prediction, balance, response, event };
          if (!(await storePrediction(stored))) return new Response('not acceptable', { status: 409 });
        }
        return new Response(response, { status: 201, headers });
      },
    },
  },
});
