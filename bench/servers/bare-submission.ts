import { serveBareWrite } from './bare-write.ts';
import { storeSubmission, verifiedTransaction } from './peer-submission.ts';

const accountId = process.env.BENCH_ACCOUNT ?? '';

/** The least that a durable submission can do: one native verification, then the product's statement by the bare driver. */
serveBareWrite({
  route: '/api/v2/transaction-intents/:id/submissions',
  status: 202,
  step: (body) => verifiedTransaction((body as { signedTransaction: string }).signedTransaction),
  store(signed, request, texts) {
    const { id = '' } = request.params as Record<string, string>;
    return storeSubmission({ ...texts, intentId: id, accountId, idempotencyKey: id, signed });
  },
});
