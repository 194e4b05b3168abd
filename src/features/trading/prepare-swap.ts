import { COMPUTE_BUDGET } from '../../chain/accounts/programs.ts';
import type { RpcFailure } from '../../chain/rpc/rpc-failure.ts';
import {
  automaticPrice,
  type BuildDependencies,
  type BuiltTransaction,
  buildTransaction,
  type TransactionBuild,
} from '../../chain/transactions/build-transaction.ts';
import type { WireVersion } from '../../chain/transactions/compile-transaction.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import type { ComposedIntent, IntentKeeper } from '../../chain/transactions/intent-keeper.ts';
import { type Tip, type TipSource, tipInstructions } from '../../chain/transactions/tip.ts';
import { wait } from '../../shared/loop.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import type { WalletFunds } from './funds.ts';
import { knownFacts, type SnapshotDependencies, takePoolSnapshot } from './pool-snapshots.ts';
import { type Quote, quoteSwap, type SwapRequest } from './quote.ts';
import { readRefusal, refusedSwap, unfundedSwap } from './refusals.ts';
import { isWithin, limitOf } from './slippage.ts';
import { referenceOf, swapInstructions } from './swap-instructions.ts';
import { forgetWalletFunds, readWalletFunds, shortfallOf } from './wallet-funds.ts';
import type { WarmSwaps } from './warm-swaps.ts';

export interface SwapDependencies extends SnapshotDependencies, BuildDependencies {
  intentKeeper: IntentKeeper;
  warmSwaps: WarmSwaps;
  tips: TipSource;
}

export interface SwapOrder {
  accountId: string;
  wallet: string;
  mint: string;
  request: SwapRequest;
  slippageBps: number;
  /** The limit of an earlier quote; null to use the slippage. */
  limitRaw: bigint | null;
  /** Null for the price of recent blocks, up to the maximum. */
  computeUnitPrice: bigint | null;
  version: WireVersion;
  /** Simulate even if a swap of the same shape was simulated a moment ago. */
  simulate: boolean;
}

/** A swap that is ready to be stored. */
export interface PreparedSwap {
  quote: Quote;
  limitRaw: bigint;
  /** Lamports that the wallet pays the landing service besides fees. */
  tipLamports: bigint;
  intent: ComposedIntent;
}

const KIND = 'swap';
/** Unit limit of a simulation: about three times the units of a swap. */
const MEASURED_WITH_UNITS = 400_000;

/** Quotes, builds, simulates and checks a swap. Throws the problem that prevents it. */
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
      requireSimulation: built.unitsConsumed !== null,
    },
    lastValidBlockHeight: built.lastValidBlockHeight,
    expiresInMs: built.expiresInMs,
  });
  return { quote, limitRaw, tipLamports: tip?.lamports ?? 0n, intent };
}

/** Simulations of one swap whose pool changes between its read and the simulation. */
const MOVES_MAX = 3;
/** Nodes that have not reached the slot of the pool are asked again for a second. */
const LAGS_MAX = 10;
const LAG_PAUSE_MS = 100;
const never = new AbortController().signal;

interface SwapAttempt {
  quote: Quote;
  limitRaw: bigint;
  instructions: Instruction[];
  build: TransactionBuild;
}

/**
 * A swap that the chain accepts now. The read of pool and wallet may be a slot old, so a swap is refused only
 * after both were read again. Throws the problem of the refusal.
 */
async function buildOnNewestPool(
  dependencies: SwapDependencies,
  order: SwapOrder,
  id: string,
  tip: Tip | null,
): Promise<Omit<SwapAttempt, 'build'> & { built: BuiltTransaction }> {
  const { snapshots } = dependencies.tradingCaches;
  let [moves, lags] = [0, 0];
  for (;;) {
    const { build, ...attempt } = await tryToBuild(dependencies, order, id, tip);
    switch (build.outcome) {
      case 'built':
        return { ...attempt, built: build };
      case 'refused': {
        const refusal = readRefusal(build.failure);
        moves += 1;
        if (refusal.retry === 'no' || moves === MOVES_MAX)
          throw refusedSwap(refusal, order.limitRaw !== null);
        snapshots.drop(order.mint);
        break;
      }
      case 'unknown':
        lags += 1;
        if (build.failure?.isBehind !== true || lags === LAGS_MAX) throw notBuilt(order, build.failure);
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
  // Read in parallel with the pool, so that it adds no time; the first swap of a token knows its addresses
  // only afterwards.
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
    order.computeUnitPrice ??
      // Accounts that all traders of the pool write to; the accounts of the wallet have no competition.
      automaticPrice(dependencies, [quote.pool.address, ...quote.pool.sides.map(({ vault }) => vault)]),
  ]);
  const { side, mode } = request;
  const { completesCurve, stretches } = quote;
  const shape = { wallet, poolAddress: quote.pool.address, side, mode, version, completesCurve, stretches };
  const { slot } = snapshot.clock;
  const shortfall = (of: WalletFunds | null, computeUnits: number) =>
    of &&
    shortfallOf(quote, limitRaw, of, { computeUnits, computeUnitPrice, tipLamports: tip?.lamports ?? 0n });
  const computeUnitLimit = MEASURED_WITH_UNITS;
  const plan = { version, feePayer: wallet, instructions, computeUnitLimit, computeUnitPrice };
  const knownLimit = (blockhash: string) => {
    const limit = simulate ? null : dependencies.warmSwaps.limitFor(shape, blockhash);
    return limit !== null && shortfall(funds, limit) === null ? limit : null;
  };
  const build = await buildTransaction(dependencies, plan, { slot, knownLimit });
  if (build.outcome === 'built' && build.unitsConsumed !== null)
    dependencies.warmSwaps.note(shape, build.blockhash, build.unitsConsumed);
  if (build.outcome === 'refused' && readRefusal(build.failure).retry === 'no') {
    // After any error: for the program, a token that the wallet never held is a missing account. The cached
    // funds may be older than the wallet's last trade.
    forgetWalletFunds(dependencies, wallet, snapshot.facts);
    const lacking = shortfall(
      await readWalletFunds(dependencies, wallet, snapshot.facts, slot),
      MEASURED_WITH_UNITS,
    );
    if (lacking !== null) throw unfundedSwap(lacking);
  }
  return { quote, limitRaw, instructions, build };
}

function notBuilt({ version }: SwapOrder, failure: RpcFailure | null): Problem {
  if (version !== 'v1' || failure?.kind !== 'refused' || failure.isBehind === true)
    return new Problem('chain_unavailable', { cause: failure ?? undefined });
  return new Problem('validation_failed', {
    errors: [
      {
        path: '/body/transactionVersion',
        code: 'invalid_value',
        message: 'this cluster does not take version 1 transactions yet',
      },
    ],
    cause: failure,
  });
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
