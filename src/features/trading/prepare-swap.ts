import { COMPUTE_BUDGET } from '../../chain/accounts/programs.ts';
import type { WireVersion } from '../../chain/transactions/compile-transaction.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import type { ComposedIntent, IntentKeeper } from '../../chain/transactions/intent-keeper.ts';
import type { BlockhashSource } from '../../chain/transactions/latest-blockhash.ts';
import type { PriorityPriceSource } from '../../chain/transactions/priority-price.ts';
import { type Tip, type TipSource, tipInstructions } from '../../chain/transactions/tip.ts';
import { wait } from '../../shared/loop.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { type BuiltSwap, buildSwap, MEASURED_WITH_UNITS, type SwapBuild } from './build-swap.ts';
import type { WalletFunds } from './funds.ts';
import { knownFacts, type SnapshotDependencies, takePoolSnapshot } from './pool-snapshots.ts';
import { type Quote, quoteSwap, type SwapRequest } from './quote.ts';
import { refusedSwap, unfundedSwap } from './refusals.ts';
import { isWithin, limitOf } from './slippage.ts';
import { referenceOf, swapInstructions } from './swap-instructions.ts';
import { forgetWalletFunds, readWalletFunds, shortfallOf } from './wallet-funds.ts';
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
  const { maxComputeUnitPrice, intentKeeper } = dependencies;
  if (order.computeUnitPrice !== null && order.computeUnitPrice > maxComputeUnitPrice)
    throw priceTooHigh(maxComputeUnitPrice);
  const id = timedId(dependencies.clock.now());
  const tip = dependencies.tips();
  const { quote, limitRaw, instructions, built } = await buildOnNewestPool(dependencies, order, id, tip);
  const { version } = order;
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

/** A pool that moved between its reading and the simulation is read again so often. */
const MOVES_MAX = 3;
/** Nodes that have not come as far as the one that showed the pool: asked again for a second. */
const LAGS_MAX = 10;
const LAG_PAUSE_MS = 100;
const never = new AbortController().signal;

interface SwapAttempt {
  quote: Quote;
  limitRaw: bigint;
  instructions: Instruction[];
  build: SwapBuild;
}

/**
 * A swap that the chain takes as things are: what was read of pool and wallet may be a slot old, so that nothing is refused
 * for it before it was read again. Throws the problem of a swap that is refused then, too.
 */
async function buildOnNewestPool(
  dependencies: SwapDependencies,
  order: SwapOrder,
  id: string,
  tip: Tip | null,
): Promise<Omit<SwapAttempt, 'build'> & { built: BuiltSwap }> {
  const { snapshots } = dependencies.tradingCaches;
  let [moves, lags] = [0, 0];
  for (;;) {
    const { build, ...attempt } = await tryToBuild(dependencies, order, id, tip);
    switch (build.outcome) {
      case 'built':
        return { ...attempt, built: build.swap };
      case 'refused':
        moves += 1;
        if (build.refusal.retry === 'no' || moves === MOVES_MAX)
          throw refusedSwap(build.refusal, order.limitRaw !== null);
        snapshots.drop(order.mint);
        break;
      case 'behind':
        lags += 1;
        if (lags === LAGS_MAX) throw new Problem('chain_unavailable');
        await wait(LAG_PAUSE_MS, never);
    }
  }
}

async function tryToBuild(
  dependencies: SwapDependencies,
  order: SwapOrder,
  id: string,
  tip: Tip | null,
): Promise<SwapAttempt> {
  const { wallet, version, simulate, request, mint } = order;
  // Beside the pool, so that it costs no time of its own; the first swap of a token knows only afterwards what to ask for.
  const facts = knownFacts(dependencies.tradingCaches, mint);
  const reading = facts && readWalletFunds(dependencies, wallet, facts);
  const snapshot = await takePoolSnapshot(dependencies, mint, 'swap');
  const quote = quoteSwap(snapshot, request);
  const limitRaw = order.limitRaw ?? limitOf(quote, order.slippageBps);
  if (!isWithin(quote, limitRaw)) throw moved(quote, limitRaw);
  const instructions = [
    ...(await swapInstructions(quote, wallet, limitRaw, referenceOf(id))),
    ...tipInstructions(wallet, tip),
  ];
  const [funds, computeUnitPrice] = await Promise.all([
    reading ?? readWalletFunds(dependencies, wallet, snapshot.facts),
    order.computeUnitPrice ?? automaticPrice(dependencies, quote),
  ]);
  const { side, mode } = request;
  const { completesCurve, stretches } = quote;
  const shape = { wallet, poolAddress: quote.pool.address, side, mode, version, completesCurve, stretches };
  const { slot } = snapshot.clock;
  const shortfall = (of: WalletFunds | null, computeUnits: number) =>
    of &&
    shortfallOf(quote, limitRaw, of, { computeUnits, computeUnitPrice, tipLamports: tip?.lamports ?? 0n });
  const isFunded = (computeUnits: number) => shortfall(funds, computeUnits) === null;
  const build = await dependencies.swapGate.run(() =>
    buildSwap(dependencies, shape, instructions, { version, computeUnitPrice, simulate, slot, isFunded }),
  );
  if (build.outcome === 'refused' && build.refusal.retry === 'no') {
    // Whatever the error: a token that the wallet never held is a missing account to the program. By what the wallet has now:
    // what was read before may be older than its last trade.
    forgetWalletFunds(dependencies, wallet, snapshot.facts);
    const lacking = shortfall(
      await readWalletFunds(dependencies, wallet, snapshot.facts, slot),
      MEASURED_WITH_UNITS,
    );
    if (lacking !== null) throw unfundedSwap(lacking);
  }
  return { quote, limitRaw, instructions, build };
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
