import { connect } from '@nats-io/transport-node';
import { sql } from './peer-database.ts';
import { verifiedTransaction } from './peer-submission.ts';

/**
 * The least that carries a submission to a node durably: verify, insert one row, respond, publish a hint; its subscriber,
 * here the same process, deletes the row and sends. The row is in the case's own table `bench_first_sends`.
 */
const HINT = 'bench.first_send';
const rpcUrl = process.env.SOLANA_RPC_URL ?? '';
const response = process.env.BENCH_RESPONSE ?? '';
const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' });

const broker = await connect({ servers: process.env.NATS_URL ?? '' });
broker.subscribe(HINT, {
  callback: (error, message) => {
    if (error !== null) throw error;
    void send(message.string());
  },
});

async function send(id: string): Promise<void> {
  const [row] = await sql<{ transaction: Uint8Array }[]>`
    delete from bench_first_sends where id = ${id} returning transaction`;
  if (row === undefined) throw new Error(`nothing to send under ${id}`);
  const wire = Buffer.from(row.transaction).toString('base64');
  const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
  const result = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params: [wire, options] }),
  });
  await result.arrayBuffer();
  if (!result.ok) throw new Error(`the node returned ${result.status}`);
}

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    '/api/v2/transaction-intents/:id/submissions': {
      POST: async (request) => {
        const { signedTransaction } = (await request.json()) as { signedTransaction: string };
        const transaction = verifiedTransaction(signedTransaction);
        if (transaction === null) return new Response('invalid', { status: 422 });
        const { id } = request.params;
        await sql`insert into bench_first_sends (id, transaction) values (${id}, ${transaction})`;
        broker.publish(HINT, id);
        return new Response(response, { status: 202, headers });
      },
    },
  },
});
