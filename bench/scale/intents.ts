import { listIntents } from '../../src/features/transaction-intents/list-intents.ts';
import { isIntentOverdue } from '../../src/intents/end/expire-intents.ts';
import { findIntent } from '../../src/intents/find-intent.ts';
import { insertIntent } from '../../src/intents/insert-intent.ts';
import { toIntentEvent } from '../../src/intents/row.ts';
import { storeSubmissions } from '../../src/intents/submit/store-submissions.ts';
import type { BenchCase } from '../cases/case.ts';
import { growthOf } from './growth.ts';
import { accountOf, INTENT_KIND, INTENT_TABLES, newIntent, storeIntentRows } from './intent-rows.ts';
import { interleaved, type SizedCall } from './interleaved.ts';
import { type SizedDatabase, withSizedDatabases } from './sized-databases.ts';
import { sizesUpTo } from './sizes.ts';

const SIZES = {
  full: [1_000, 10_000, 100_000, 1_000_000],
  quick: [1_000, 10_000, 50_000],
  shortest: [1_000, 2_000],
};
const PAGE = 20;
/** Below every prepared intent's last block. */
const HEIGHT = 1_000n;

/** Lists, reads, the search for what is overdue, and a submission, by the number of intents of one account. */
export const intentScale: BenchCase = async (options) => {
  const { rounds, roundMs } = options;
  const sizes = sizesUpTo(options, SIZES);
  return withSizedDatabases(
    { sizes, unit: 'intent', tables: INTENT_TABLES, fill: storeIntentRows },
    async (databases) => {
      const figures = await interleaved(databases, calls, { rounds, roundMs });
      const growth = (figure: string) => growthOf(figures, databases, figure);
      return {
        name: `intents of one account; pages of ${PAGE}`,
        figures,
        plot: 'sizes',
        ratios: {
          'growth per tenfold, first page': growth('firstPageUs'),
          'growth per tenfold, page by kind and status': growth('filteredPageUs'),
          'growth per tenfold, read of one': growth('readUs'),
          'growth per tenfold, search for overdue': growth('overdueUs'),
          'growth per tenfold, preparation and submission': growth('submissionUs'),
        },
      };
    },
  );
};

const calls: SizedCall[] = [
  {
    figure: 'firstPageUs',
    on:
      ({ sql }) =>
      async () =>
        requirePage(await listIntents(sql, accountOf(sql), { limit: PAGE })),
  },
  {
    figure: 'filteredPageUs',
    on:
      ({ sql }) =>
      async () =>
        requirePage(
          await listIntents(sql, accountOf(sql), { limit: PAGE, status: 'expired', kind: INTENT_KIND }),
        ),
  },
  {
    figure: 'readUs',
    on({ sql }) {
      let id: string | undefined;
      return async () => {
        id ??= (await listIntents(sql, accountOf(sql), { limit: 1 })).items[0]?.id;
        if (id === undefined || (await findIntent(sql, id, accountOf(sql))) === null)
          throw new Error('no intent was read');
      };
    },
  },
  {
    figure: 'overdueUs',
    on:
      ({ worker }) =>
      async () => {
        const [row] = await worker<{ isOverdue: boolean }[]>`
          select ${isIntentOverdue(worker, new Date(), HEIGHT)} as is_overdue`;
        if (row?.isOverdue !== false) throw new Error('an intent is overdue');
      },
  },
  { figure: 'submissionUs', on: (database) => () => prepareAndSubmit(database) },
];

async function prepareAndSubmit({ sql }: SizedDatabase): Promise<void> {
  const { prepared, submitted } = newIntent(accountOf(sql));
  const { id, accountId, createdAt } = prepared;
  await insertIntent.given(sql, prepared);
  const event = {
    id: Bun.randomUUIDv7(),
    type: 'transaction_intent.submitted',
    subject: id,
    accountId,
    onlyEndpointId: null,
    body: JSON.stringify(toIntentEvent(submitted)),
    createdAt,
    traceparent: null,
  };
  const [isStored] = await storeSubmissions(sql, [{ submitted, nextSendAt: createdAt, event, record: null }]);
  if (isStored !== true) throw new Error('a submission was not stored');
}

function requirePage(page: { items: readonly unknown[] }): void {
  if (page.items.length !== PAGE) throw new Error(`a page of ${page.items.length} intents`);
}
