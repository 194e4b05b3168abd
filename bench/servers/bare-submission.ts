import { createPublicKey, verify } from 'node:crypto';
import { connectDatabase } from '../../src/db/client.ts';

/** The least a durable submission can do: read the body, one native verification, one committed insert. */
const database = connectDatabase(process.env.DATABASE_URL ?? '', {
  applicationName: 'bare',
  connections: 12,
});
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: {
    '/healthz': () => new Response('ok'),
    '/api/v2/transaction-intents/:id/submissions': {
      POST: async (request) => {
        const { signedTransaction } = (await request.json()) as { signedTransaction: string };
        const bytes = Buffer.from(signedTransaction, 'base64');
        // One signer: signature at 1, message at 65, its first key behind the header and the key count.
        const publicKey = createPublicKey({
          key: Buffer.concat([SPKI_PREFIX, bytes.subarray(69, 101)]),
          format: 'der',
          type: 'spki',
        });
        const valid = verify(null, bytes.subarray(65), publicKey, bytes.subarray(1, 65));
        if (!valid) return new Response('invalid', { status: 422 });
        await database`insert into bench_submissions (body) values (${bytes})`;
        return new Response(signedTransaction, { status: 202 });
      },
    },
  },
});
