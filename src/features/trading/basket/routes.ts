import { publicRead, type Route, type RouteDefinition } from '../../../http/route.ts';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import { Problem } from '../../../shared/problem.ts';
import { countMints } from '../../../shared/requested-mints.ts';
import type { SnapshotDependencies } from '../pool-snapshots.ts';
import { quoteUnder } from '../read-quote.ts';
import { swapOfWallet } from '../wallet-swap.ts';
import { type BasketOrder, basketOrders, ownProblemOr } from './basket-orders.ts';
import { type Basket, readBasket } from './read-basket.ts';
import { BasketQuery, QuoteBasketSchema } from './schema.ts';

const { quotedTokens } = unpublishedLimits;

const listQuotes = {
  id: 'listQuotes',
  method: 'GET',
  path: '/quotes',
  refusesUnknownQuery: true,
  tag: 'Trading',
  summary: 'Quote swaps of several tokens',
  description:
    'Quotes one swap for each of up to 20 tokens, computed from one read of the chain, so that all quotes are of one `slot`. `side`, `amountRaw` and `amountBps` have one value for all tokens, or one for each. If a token has no quote, it has an `error`, and the others still have their quotes. Counts as one request for each token under its rate policy.',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  rateCost: (query) => countMints(query, quotedTokens),
  successStatus: 200,
  maxAgeSeconds: 0,
  query: BasketQuery,
  exampleQuery: ['amountRaw'],
  response: QuoteBasketSchema,
  problems: ['chain_unavailable'],
} satisfies RouteDefinition;

export const basketDefinitions: readonly RouteDefinition[] = [listQuotes];

export function basketRoutes(dependencies: SnapshotDependencies): Route[] {
  return [
    publicRead(listQuotes, async ({ query, client }) => {
      const orders = basketOrders(query);
      const basket = await readBasket(
        dependencies,
        orders.map(({ mint }) => mint),
        query.wallet,
        client,
      );
      return {
        body: {
          items: orders.map((order) => itemOf(order, basket, query.slippageBps)),
          slot: String(basket.slot),
          asOf: basket.asOf.toISOString(),
        },
      };
    }),
  ];
}

function itemOf({ mint, terms }: BasketOrder, { entries }: Basket, slippageBps: number) {
  const entry = entries.get(mint) ?? new Problem('token_not_found');
  const outcome =
    entry instanceof Problem || terms instanceof Problem
      ? firstProblem(terms, entry)
      : ownProblemOr(() => quoteUnder(swapOfWallet(entry.snapshot, terms, entry.balanceRaw), slippageBps));
  if (!(outcome instanceof Problem)) return { mintAddress: mint, quote: outcome, error: null };
  const { code, message, facts } = outcome;
  const context = facts.context === undefined ? null : { ...facts.context };
  return { mintAddress: mint, quote: null, error: { code, detail: message, context } };
}

/** An amount is judged before its token, as in a single quote. */
function firstProblem(...outcomes: readonly unknown[]): Problem {
  return outcomes.find((outcome) => outcome instanceof Problem) ?? new Problem('token_not_found');
}
