import type { Static } from '@sinclair/typebox';
import type { Principal } from '../../../http/access/authentication.ts';
import { computation, type Route, type RouteDefinition } from '../../../http/route.ts';
import { automaticSending } from '../../../intents/sending.ts';
import { encodeBase64 } from '../../../shared/bytes.ts';
import { MintPath } from '../../../shared/field-schemas.ts';
import type { WalletOrder } from '../plan-swap.ts';
import type { BuildSwapDependencies } from '../prepare-swap.ts';
import { toQuote } from '../record.ts';
import { DEFAULT_SLIPPAGE_BPS, instructionAmount } from '../requested-swap.ts';
import { swapTerms } from '../swap-terms.ts';
import { type ComposedInstructions, composeInstructions } from './compose-instructions.ts';
import { InstructionsBody, SwapInstructionsSchema } from './schema.ts';

const getSwapInstructions = {
  id: 'getSwapInstructions',
  method: 'POST',
  path: '/tokens/:mint/swap-instructions',
  refusesUnknownQuery: true,
  tag: 'Trading',
  summary: 'The instructions of a swap',
  description:
    'For clients that combine a swap with instructions of their own, sign it with any wallet, and send it themselves. The instructions are those of `createSwap` without its tip, for any `wallet`, with the compute units that their simulation used. Nothing is stored or sent: there is no intent and no idempotent response.',
  auth: ['transactions:write'],
  ratePolicy: 'swap-prepare',
  storesNothing: true,
  successStatus: 200,
  params: MintPath,
  body: InstructionsBody,
  exampleBody: { side: 'buy', amountRaw: '100000000', slippageBps: 100 },
  response: SwapInstructionsSchema,
  problems: [
    'token_not_found',
    'token_not_tradable',
    'swap_amount_out_of_range',
    'swap_refused',
    'swap_quote_outdated',
    'platform_fee_account_missing',
    'platform_fee_account_unusable',
    'chain_unavailable',
  ],
} satisfies RouteDefinition;

export const instructionDefinitions: readonly RouteDefinition[] = [getSwapInstructions];

export function instructionRoutes(dependencies: BuildSwapDependencies): Route[] {
  return [
    computation(getSwapInstructions, async ({ params, body }, principal) => {
      const order = orderOf(params.mint, body, principal);
      const composed = await composeInstructions(dependencies, order);
      return { body: toInstructions(order, composed) };
    }),
  ];
}

function orderOf(mint: string, body: Static<typeof InstructionsBody>, principal: Principal): WalletOrder {
  const { slippageBps = DEFAULT_SLIPPAGE_BPS, limitRaw } = body;
  return {
    accountId: principal.accountId,
    wallet: body.wallet ?? principal.walletAddress,
    mint,
    terms: swapTerms(body, 'body'),
    slippageBps,
    limitRaw: limitRaw === undefined ? null : instructionAmount(limitRaw),
    sending: automaticSending,
    version: 'v0',
    simulate: body.simulate ?? true,
  };
}

/** The public instructions (contract/trading#instructions). */
function toInstructions(
  order: WalletOrder,
  composed: ComposedInstructions,
): Static<typeof SwapInstructionsSchema> {
  const { swap, limitRaw, feeAccount, instructions } = composed;
  const slippageBps = order.limitRaw === null ? order.slippageBps : null;
  return {
    mintAddress: order.mint,
    walletAddress: order.wallet,
    instructions: instructions.map(({ program, accounts, data }) => ({
      programAddress: program,
      accounts: accounts.map(({ address, isSigner, isWritable }) => ({ address, isSigner, isWritable })),
      data: encodeBase64(data),
    })),
    signers: [order.wallet],
    lookupTables: [],
    computeUnits: {
      consumed: composed.unitsConsumed,
      limit: composed.computeUnitLimit,
      price: String(composed.computeUnitPrice),
    },
    quote: toQuote(swap, { slippageBps, limitRaw, feeAccount }),
  };
}
