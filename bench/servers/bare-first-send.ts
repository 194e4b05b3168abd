import { connect } from '@nats-io/transport-node';
import { encodeBase58 } from '../../src/shared/base58.ts';
import { sql } from './peer-database.ts';
import { verifiedTransaction } from './peer-submission.ts';

/**
 * The least that carries a submission to its end durably: verify, insert one row, respond, publish a hint; its
 * subscriber, here the same process, sends. At the node's notification it asks for the status, deletes the row, answers
 * whoever waits and posts the webhook. The row is in the case's own table `bench_first_sends`.
 */
const HINT = 'bench.first_send';
const rpcUrl = process.env.SOLANA_RPC_URL ?? '';
const response = process.env.BENCH_RESPONSE ?? '';
const webhookUrl = process.env.BENCH_WEBHOOK_URL ?? '';
const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' });
const signatures = new Map<string, string>();
const waiting = new Map<string, () => void>();
const subscriptions = new Map<number, { id: string; signature: string }>();
const requests = new Map<number, { id: string; signature: string }>();
let lastRequest = 0;

const broker = await connect({ servers: process.env.NATS_URL ?? '' });
broker.subscribe(HINT, {
  callback: (error, message) => {
    if (error !== null) throw error;
    void send(message.string());
  },
});

const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'));
await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
socket.onmessage = ({ data }) => {
  const { id, result, method, params } = JSON.parse(String(data));
  const requested = requests.get(id);
  if (requested !== undefined) {
    requests.delete(id);
    subscriptions.set(result, requested);
  }
  const notified = method === 'signatureNotification' ? subscriptions.get(params.subscription) : undefined;
  if (notified === undefined) return;
  subscriptions.delete(params.subscription);
  void end(notified);
};

async function call<Result>(method: string, params: readonly unknown[]): Promise<Result> {
  const result = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  if (!result.ok) throw new Error(`the node returned ${result.status}`);
  return ((await result.json()) as { result: Result }).result;
}

async function send(id: string): Promise<void> {
  const [row] = await sql<{ transaction: Uint8Array }[]>`
    select transaction from bench_first_sends where id = ${id}`;
  if (row === undefined) throw new Error(`nothing to send under ${id}`);
  const wire = Buffer.from(row.transaction).toString('base64');
  await call('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true, maxRetries: 0 }]);
  const signature = encodeBase58(row.transaction.subarray(1, 65));
  lastRequest += 1;
  requests.set(lastRequest, { id, signature });
  const params = [signature, { commitment: 'confirmed' }];
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastRequest, method: 'signatureSubscribe', params }));
}

async function end({ id, signature }: { id: string; signature: string }): Promise<void> {
  const { value } = await call<{ value: ({ err: unknown } | null)[] }>('getSignatureStatuses', [[signature]]);
  if (value[0]?.err !== null) throw new Error(`${id} is not confirmed`);
  await sql`delete from bench_first_sends where id = ${id}`;
  signatures.set(id, signature);
  waiting.get(id)?.();
  waiting.delete(id);
  const delivered = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': id },
    body: JSON.stringify({ id, status: 'confirmed', transactionSignature: signature }),
  });
  if (!delivered.ok) throw new Error(`the subscriber returned ${delivered.status}`);
}

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    '/api/v2/transaction-intents/:id': async (request) => {
      const { id } = request.params;
      if (!signatures.has(id)) await new Promise<void>((resolve) => waiting.set(id, resolve));
      return Response.json({ id, status: 'confirmed' }, { headers });
    },
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
