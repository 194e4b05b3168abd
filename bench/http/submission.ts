import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { allPeers } from './peers.ts';
import { createIntentSource, readIntents } from './prepared-intents.ts';
import { measureWrite } from './write-case.ts';

/**
 * Intent submission; its bare server takes one native signature verification, the statement, and the send with its
 * record.
 */
export const submission: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    const { key, prepare } = await createIntentSource(database);
    return await measureWrite(
      environment,
      {
        name: 'intent submission',
        route: '/api/v2/transaction-intents/:id/submissions',
        status: 202,
        ratePerSecond: 200,
        step: { name: 'verify', meaning: 'verification' },
        follow: {
          name: 'send',
          meaning: 'send and its record',
          async isRecorded(response) {
            const { id } = JSON.parse(response) as { id: string };
            const sent = await database`
              select from transaction_intents where id = ${id} and transaction_signature is not null`;
            return sent.count === 1;
          },
        },
        restMeaning: 'HTTP, verification, statement and send',
        // Compilation takes 126 µs of each of the first 4,000, and 5 from here on.
        steadyAfter: 12_000,
        peers: allPeers,
        bareServer: 'bare-submission.ts',
        bareVariables: { BENCH_ACCOUNT: key.accountId },
        prepare: async (count) => (await prepare(count)).map(({ request }) => request),
        warmApi: ({ port }, submissions) => readIntents(port, key.header, submissions),
        async countStored() {
          const [{ count } = { count: Number.NaN }] = await database<{ count: number }[]>`
            select count(*)::int as count from transaction_intents where status <> 'prepared'`;
          return count;
        },
        async storedEvent(response) {
          const { id } = JSON.parse(response) as { id: string };
          const [event] = await database<{ body: string }[]>`
            select e.body from events e join intent_broadcasts b on b.intent_id::text = e.subject
            where e.subject = ${id}`;
          if (event === undefined) throw new Error('the api stored no event or no broadcast');
          return event.body;
        },
      },
      options,
    );
  } finally {
    await environment.close();
  }
};
