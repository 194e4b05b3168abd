import { storeSubmission, verifiedTransaction } from './peer-submission.ts';

/**
 * The least a durable submission can do, in steps that a case measures apart: `BENCH_STEPS` is `verify` (read the body
 * and verify natively) or `store` (also the product's one statement, through the bare driver).
 */
const stores = process.env.BENCH_STEPS === 'store';
const accountId = process.env.BENCH_ACCOUNT ?? '';
const response = process.env.BENCH_RESPONSE ?? '';
const event = process.env.BENCH_EVENT ?? '';
const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' });

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    '/api/v2/transaction-intents/:id/submissions': {
      POST: async (request) => {
        const { signedTransaction } = (await request.json()) as { signedTransaction: string };
        const signed = verifiedTransaction(signedTransaction);
        if (signed === null) return new Response('invalid', { status: 422 });
        if (stores) {
          const { id } = request.params;
          const submission = { intentId: id, accountId, idempotencyKey: id, signed, response, event };
          if (!(await storeSubmission(submission))) return new Response('not prepared', { status: 409 });
        }
        return new Response(response, { status: 202, headers });
      },
    },
  },
});
