import type { Static } from '@sinclair/typebox';
import type { Database } from '../../db/client.ts';
import { responseRecord } from '../../http/mutations/idempotency.ts';
import { versionTag } from '../../http/mutations/mutation-headers.ts';
import { storedResponse } from '../../http/responses/responses.ts';
import {
  type Caller,
  mutation,
  publicRead,
  type Reply,
  type Route,
  type RouteDefinition,
} from '../../http/route.ts';
import { requestedSending } from '../../intents/sending.ts';
import { API_PREFIX } from '../../shared/api-prefix.ts';
import { MintPath } from '../../shared/field-schemas.ts';
import { Problem } from '../../shared/problem.ts';
import { basketDefinitions, basketRoutes } from './basket/routes.ts';
import { instructionDefinitions, instructionRoutes } from './instructions/routes.ts';
import type { WalletOrder } from './plan-swap.ts';
import { platformFeeAccountDefinitions, platformFeeAccountRoutes } from './platform-fee-account/routes.ts';
import { type PreparedSwap, prepareSwap, type SwapDependencies } from './prepare-swap.ts';
import {
  type PriorityFeeDependencies,
  priorityFeeDefinitions,
  priorityFeeRoutes,
} from './priority-fees/routes.ts';
import { readQuote } from './read-quote.ts';
import { toQuote } from './record.ts';
import { DEFAULT_SLIPPAGE_BPS, instructionAmount } from './requested-swap.ts';
import { QuoteQuery, SwapBody, SwapQuoteSchema, SwapSchema } from './schema.ts';
import { swapTerms } from './swap-terms.ts';

/** Problems with which both operations can refuse a swap. */
const refusals = [
  'token_not_found',
  'token_not_tradable',
  'swap_amount_out_of_range',
  'chain_unavailable',
] as const;

const getSwapQuote = {
  id: 'getSwapQuote',
  method: 'GET',
  path: '/tokens/:mint/quote',
  refusesUnknownQuery: true,
  tag: 'Trading',
  summary: 'Quote a swap',
  description:
    'Computed exactly as the program of the pool computes it, on the bonding curve or, after the migration, on the AMM, from accounts of one `slot`. Nothing is reserved: the pool may move before a swap lands, and `slippageBps` limits this move. `amountBps` sells a share of what `wallet` holds; the balance is read in the same slot. A platform fee is computed as a swap would pay it.',
  auth: 'anonymous',
  ratePolicy: 'public-read-expensive',
  successStatus: 200,
  maxAgeSeconds: 0,
  params: MintPath,
  query: QuoteQuery,
  exampleQuery: ['amountRaw'],
  response: SwapQuoteSchema,
  problems: refusals,
} satisfies RouteDefinition;

const createSwap = {
  id: 'createSwap',
  method: 'POST',
  path: '/tokens/:mint/swaps',
  refusesUnknownQuery: true,
  tag: 'Trading',
  summary: 'Prepare a swap',
  description:
    "Builds the whole transaction for the key's pinned wallet (opens accounts, wraps and unwraps SOL, sets compute limit and priority), simulates it unless one like it was simulated a moment ago, and stores it as a transaction intent. The next request is the submission: sign `intent.serializedTransaction`, and send the `ETag` back in `If-Match`. `limitRaw` keeps the limit of an earlier quote; otherwise `slippageBps` applies to the new `quote`. `amountBps` sells a share of what the wallet holds; `platformFeeBps` pays an integrator in the same transaction.",
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  dependsOnKey: 'wallet',
  successStatus: 201,
  params: MintPath,
  body: SwapBody,
  exampleBody: { side: 'buy', amountRaw: '100000000', slippageBps: 100, computeUnitPrice: 'auto' },
  response: SwapSchema,
  responseHeaders: ['ETag', 'Location'],
  problems: [
    ...refusals,
    'swap_refused',
    'swap_quote_outdated',
    'send_route_unavailable',
    'platform_fee_account_missing',
    'platform_fee_account_unusable',
  ],
} satisfies RouteDefinition;

export const tradingDefinitions: readonly RouteDefinition[] = [
  getSwapQuote,
  createSwap,
  ...basketDefinitions,
  ...instructionDefinitions,
  ...priorityFeeDefinitions,
  ...platformFeeAccountDefinitions,
];

export interface TradingRouteDependencies extends SwapDependencies, PriorityFeeDependencies {
  publicDatabase: Database;
  /** Origin that clients see. */
  publicUrl: string;
}

/** The handler throws the problem later, because a replay of an earlier success must not fail with it. */
type Preparation = { swap: PreparedSwap } | { problem: Problem };

export function tradingRoutes(dependencies: TradingRouteDependencies): Route[] {
  const { intentKeeper, publicUrl } = dependencies;
  const ofAnybody = { ...dependencies, database: dependencies.publicDatabase };

  async function prepare(order: () => WalletOrder): Promise<Preparation> {
    try {
      return { swap: await prepareSwap(dependencies, order()) };
    } catch (error) {
      if (error instanceof Problem) return { problem: error };
      throw error;
    }
  }

  function replyOf(
    { swap, limitRaw, feeAccount, sending, intent }: PreparedSwap,
    body: Static<typeof SwapBody>,
  ): Reply<Static<typeof SwapSchema>> {
    const Location = `${API_PREFIX}/transaction-intents/${intent.id}`;
    const slippageBps = body.limitRaw === undefined ? (body.slippageBps ?? DEFAULT_SLIPPAGE_BPS) : null;
    return {
      body: {
        intentId: intent.id,
        intentUrl: `${publicUrl}${Location}`,
        version: intent.version,
        expectedSigner: intent.expectedSigner,
        recentBlockhash: intent.recentBlockhash,
        lastValidBlockHeight: String(intent.lastValidBlockHeight),
        expiresAt: intent.expiresAt.toISOString(),
        tipLamports: sending.tipLamports,
        sending,
        quote: toQuote(swap, { slippageBps, limitRaw, feeAccount }),
        intent: intent.shown,
      },
      headers: { ETag: versionTag(intent.version), Location },
    };
  }

  return [
    publicRead(getSwapQuote, async ({ params, query, client }) => ({
      body: await readQuote(ofAnybody, params.mint, query, client),
    })),
    mutation(createSwap, {
      prepare: ({ params, body }, caller) => prepare(() => orderOf(params.mint, body, caller)),
      async fastPath({ body }, _caller, attempt, prepared) {
        if ('problem' in prepared) return null;
        const record = responseRecord(attempt, storedResponse(createSwap, replyOf(prepared.swap, body)));
        const isStored = await intentKeeper.storeWithResponse(prepared.swap.intent, record);
        return isStored ? record : null;
      },
      async handle({ body }, _caller, transaction, prepared) {
        if ('problem' in prepared) throw prepared.problem;
        await intentKeeper.store(transaction, prepared.swap.intent);
        return replyOf(prepared.swap, body);
      },
    }),
    ...basketRoutes(ofAnybody),
    ...instructionRoutes(dependencies),
    ...priorityFeeRoutes(ofAnybody),
    ...platformFeeAccountRoutes(dependencies),
  ];
}

function orderOf(mint: string, body: Static<typeof SwapBody>, { principal }: Caller<'wallet'>): WalletOrder {
  const { slippageBps = DEFAULT_SLIPPAGE_BPS, limitRaw } = body;
  return {
    accountId: principal.accountId,
    wallet: principal.walletAddress,
    mint,
    terms: swapTerms(body, 'body'),
    slippageBps,
    limitRaw: limitRaw === undefined ? null : instructionAmount(limitRaw),
    sending: requestedSending(body),
    version: body.transactionVersion ?? 'v0',
    simulate: body.simulate ?? false,
  };
}
