import type { BenchCase } from '../cases/case.ts';
import { createBenchEnvironment } from '../cases/environment.ts';
import { createPredictionSource, PREDICTIONS_PATH } from './prediction-source.ts';
import { measureWrite } from './write-case.ts';

/** `createPrediction`; the step of its bare server is to read the balance from the stub node. */
export const createPrediction: BenchCase = async (options) => {
  const environment = await createBenchEnvironment();
  try {
    const { database } = environment;
    const { accounts, prepare } = await createPredictionSource(database);
    return await measureWrite(
      environment,
      {
        name: 'createPrediction, balance from a stub node',
        route: PREDICTIONS_PATH,
        status: 201,
        ratePerSecond: 100,
        step: { name: 'balance', meaning: 'balance' },
        restMeaning: 'HTTP, balance and statement',
        bareServer: 'bare-prediction.ts',
        bareVariables: { BENCH_ACCOUNTS: JSON.stringify(accounts) },
        prepare,
        async countStored() {
          const [{ count } = { count: Number.NaN }] = await database<{ count: number }[]>`
            select count(*)::int as count from predictions`;
          return count;
        },
        async storedEvent(_request, response) {
          const { id } = JSON.parse(response) as { id: string };
          const [event] = await database<{ body: string }[]>`
            select e.body from predictions p join events e on e.subject = p.id::text where p.id = ${id}`;
          if (event === undefined) throw new Error('the api stored no prediction or no event');
          return event.body;
        },
      },
      options,
    );
  } finally {
    await environment.close();
  }
};
