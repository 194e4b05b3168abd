import { serveBareWrite } from './bare-write.ts';
import { sendSubmission, storeSubmission, verifiedTransaction } from './peer-submission.ts';

const accountId = process.env.BENCH_ACCOUNT ?? '';

/**
 * The least that a durable submission can do: one native verification, the product's statement by the bare driver, then
 * the send to one node and the record that it was taken.
 */
serveBareWrite({
  route: '/api/v2/transaction-intents/:id/submissions',
  status: 202,
  step: (body) => verifiedTransaction((body as { signedTransaction: string }).signedTransaction),
  store(signed, request, texts) {
    const { id = '' } = request.params as Record<string, string>;
    return storeSubmission({ ...texts, intentId: id, accountId, idempotencyKey: id, signed });
  },
  follow(signed, request) {
    const { id = '' } = request.params as Record<string, string>;
    return sendSubmission(id, signed);
  },
});
