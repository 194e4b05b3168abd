import { COMPUTE_BUDGET } from '../../chain/accounts/programs.ts';
import type { WireVersion } from '../../chain/transactions/compile-transaction.ts';
import type { ComposedIntent, IntentKeeper } from '../../chain/transactions/intent-keeper.ts';
import type { BlockhashSource } from '../../chain/transactions/latest-blockhash.ts';
import type { PriorityPriceSource } from '../../chain/transactions/priority-price.ts';
import { type TipSource, tipInstructions } from '../../chain/transactions/tip.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { buildSwap } from './build-swap.ts';
import { isWithin, limitOf } from './limits.ts';
import { type SnapshotDependencies, takePoolSnapshot } from './pool-snapshots.ts';
import { type Quote, quoteSwap, type SwapRequest } from './quote.ts';
import { referenceOf, swapInstructions } from './swap-instructions.ts';
import type { WarmSwaps } from './warm-swaps.ts';

export interface SwapDependencies extends SnapshotDependencies {
  blockhashes: BlockhashSource;
  priorityPrices: PriorityPriceSource;
  intentKeeper: IntentKeeper;
  warmSwaps: WarmSwaps;
  tips: TipSource;
  /** Micro-lamports per compute unit that a swap pays at most. */
  maxComputeUnitPrice: bigint;
}

export interface SwapOrder {
  accountId: string;
  wallet: string;
  mint: string;
  request: SwapRequest;
  slippageBps: number;
  /** The limit of an earlier quote, in place of the slippage; null: by the slippage. */
  limitRaw: bigint | null;
  /** Null: what recent blocks asked for, up to the most. */
  computeUnitPrice: bigint | null;
  version: WireVersion;
  /** Also when a swap of the same shape was simulated a moment ago. */
  simulate: boolean;
}

/** A swap that is ready to be stored. */
export interface PreparedSwap {
  quote: Quote;
  limitRaw: bigint;
  /** What the wallet pays besides, to the service that lands it. */
  tipLamports: bigint;
  intent: ComposedIntent;
}

const KIND = 'swap';
/** A local chain may give a blockhash an hour; a price does not hold that long. */
const EXPIRES_MAX_MS = 120_000;

/** Quotes, builds, simulates and checks a swap. Throws the problem that keeps it from being prepared. */
export async function prepareSwap(dependencies: SwapDependencies, order: SwapOrder): Promise<PreparedSwap> {
  const { maxComputeUnitPrice, intentKeeper, swapGate } = dependencies;
  if (order.computeUnitPrice !== null && order.computeUnitPrice > maxComputeUnitPrice)
    throw priceTooHigh(maxComputeUnitPrice);
  const quote = quoteSwap(await takePoolSnapshot(dependencies, order.mint, 'swap'), order.request);
  const limitRaw = order.limitRaw ?? limitOf(quote, order.slippageBps);
  if (!isWithin(quote, limitRaw)) throw moved(quote, limitRaw);
  const id = timedId(dependencies.clock.now());
  const tip = dependencies.tips();
  const instructions = [
    ...(await swapInstructions(quote, order.wallet, limitRaw, referenceOf(id))),
    ...tipInstructions(order.wallet, tip),
  ];
  const computeUnitPrice = order.computeUnitPrice ?? (await automaticPrice(dependencies, quote));
  const { version, wallet, simulate } = order;
  const { side, mode } = order.request;
  const { completesCurve, stretches } = quote;
  const shape = { wallet, poolAddress: quote.pool.address, side, mode, version, completesCurve, stretches };
  const built = await swapGate.run(() =>
    buildSwap(dependencies, shape, instructions, { version, computeUnitPrice, simulate }),
  );
  const called = instructions.map(({ program }) => program);
  const intent = intentKeeper.compose(id, {
    accountId: order.accountId,
    kind: KIND,
    expectedSigner: order.wallet,
    transaction: built.transaction,
    policy: {
      allowedPrograms: [...new Set([...(version === 'v1' ? [] : [COMPUTE_BUDGET]), ...called])],
      maxComputeUnitPrice: String(maxComputeUnitPrice),
      requireSimulation: built.isSimulated,
    },
    lastValidBlockHeight: built.lastValidBlockHeight,
    expiresInMs: Math.min(built.livesMs, EXPIRES_MAX_MS),
  });
  return { quote, limitRaw, tipLamports: tip?.lamports ?? 0n, intent };
}

/** By the accounts that all traders of the pool write to; those of the wallet alone tell nothing. */
async function automaticPrice(
  { priorityPrices, maxComputeUnitPrice }: SwapDependencies,
  { pool }: Quote,
): Promise<bigint> {
  const price = await priorityPrices([pool.address, ...pool.sides.map(({ vault }) => vault)]);
  return price < maxComputeUnitPrice ? price : maxComputeUnitPrice;
}

function moved({ request, amounts, snapshot }: Quote, limitRaw: bigint): Problem {
  const isExactIn = request.mode === 'exact_in';
  return new Problem('swap_quote_outdated', {
    context: {
      limitRaw: String(limitRaw),
      ...(isExactIn ? { outputRaw: String(amounts.outRaw) } : { inputRaw: String(amounts.inRaw) }),
      slot: String(snapshot.clock.slot),
    },
  });
}

function priceTooHigh(most: bigint): Problem {
  return new Problem('validation_failed', {
    errors: [
      {
        path: '/body/computeUnitPrice',
        code: 'out_of_range',
        message: `at most ${most} micro-lamports per compute unit`,
      },
    ],
  });
}
