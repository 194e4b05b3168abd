import type { PriorityFeeSource } from '../../../chain/transactions/priority-levels.ts';
import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { Problem } from '../../../shared/problem.ts';
import { type SnapshotDependencies, takePoolSnapshot } from '../pool-snapshots.ts';
import { poolAccounts, requestedAccounts } from './priced-accounts.ts';
import { PriorityFeesQuery, PriorityFeesSchema } from './schema.ts';

const getPriorityFees = {
  id: 'getPriorityFees',
  method: 'GET',
  path: '/priority-fees',
  refusesUnknownQuery: true,
  tag: 'Trading',
  summary: 'What recent transactions paid for priority',
  description:
    'Five price levels of the last 150 blocks, for the accounts that a swap of a token writes, or for up to 16 accounts that you name. Only transactions that write the same accounts compete with each other. To pay a level, name it in `computeUnitPrice` of a swap or launch.',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  successStatus: 200,
  maxAgeSeconds: 0,
  query: PriorityFeesQuery,
  exampleQuery: ['mint'],
  response: PriorityFeesSchema,
  problems: ['token_not_found', 'token_not_tradable', 'chain_unavailable'],
} satisfies RouteDefinition;

export const priorityFeeDefinitions: readonly RouteDefinition[] = [getPriorityFees];

export interface PriorityFeeDependencies extends SnapshotDependencies {
  /** Keeps prices for a slot. Apart from those of swaps, so that no anonymous request displaces one of them. */
  shownPriorityFees: PriorityFeeSource;
  maxComputeUnitPrice: bigint;
}

export function priorityFeeRoutes(dependencies: PriorityFeeDependencies): Route[] {
  const { shownPriorityFees, maxComputeUnitPrice, quoteGate } = dependencies;
  return [
    publicRead(getPriorityFees, async ({ query, client }) => {
      const place = quoteGate.of(client);
      const requested = requestedAccounts(query);
      const mint = 'mint' in requested ? requested.mint : null;
      const accounts =
        'mint' in requested
          ? poolAccounts(await takePoolSnapshot(dependencies, requested.mint, place))
          : requested.accounts;
      const fees = await place.run(() => shownPriorityFees(accounts));
      if (fees === null) throw new Problem('chain_unavailable');
      const { min, low, medium, high, veryHigh } = fees.levels;
      return {
        body: {
          mintAddress: mint,
          accounts: [...accounts],
          levels: {
            min: String(min),
            low: String(low),
            medium: String(medium),
            high: String(high),
            veryHigh: String(veryHigh),
          },
          maxComputeUnitPrice: String(maxComputeUnitPrice),
          sampleSize: fees.sampleSize,
          slot: fees.slot === null ? null : String(fees.slot),
        },
      };
    }),
  ];
}
