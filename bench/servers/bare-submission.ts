import { serveBareWrite } from './bare-write.ts';
import { sql } from './peer-database.ts';
import { storeSubmission, verifiedTransaction } from './peer-submission.ts';

const accountId = process.env.BENCH_ACCOUNT ?? '';
const rpcUrl = process.env.SOLANA_RPC_URL ?? '';

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
  async follow(signed, request) {
    const { id = '' } = request.params as Record<string, string>;
    const wire = Buffer.from(signed).toString('base64');
    const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [wire, options] }),
    });
    const { result } = (await response.json()) as { result: string };
    await sql`
      with sent as (
        update transaction_intents set transaction_signature = ${result}
        where id = ${id} and set_config('synchronous_commit', 'off', true) is not null returning id)
      update intent_broadcasts b set next_send_at = ${new Date(Date.now() + 2_000)} from sent where b.intent_id = sent.id`;
  },
});
