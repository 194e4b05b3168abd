import { COMPUTE_BUDGET } from '../../chain/accounts/programs.ts';
import type { RentOf } from '../../chain/accounts/sysvars.ts';
import type { RpcFailure } from '../../chain/rpc/rpc-failure.ts';
import {
  type BuildDependencies,
  type BuiltTransaction,
  buildTransaction,
  type TransactionBuild,
} from '../../chain/transactions/build-transaction.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import { boundedPrice } from '../../chain/transactions/priority.ts';
import type { ComposedIntent, IntentKeeper } from '../../intents/composed-intent.ts';
import { referenceOf } from '../../intents/reference.ts';
import {
  atNodesOf,
  type SendingDependencies,
  storedSending,
  takeTip,
  toSending,
} from '../../intents/sending.ts';
import type { Sending } from '../../intents/sending-schema.ts';
import { accountClient } from '../../shared/gate.ts';
import { wait } from '../../shared/loop.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { feeBelowRent } from './fee-account.ts';
import type { OpenableAccount, WalletFunds } from './funds.ts';
import { planSwap, requireFeeAccount, type SwapExtras, type SwapOrder } from './plan-swap.ts';
import type { SnapshotDependencies } from './pool-snapshots.ts';
import { toIntentQuote } from './record.ts';
import { readRefusal, refusedSwap, unfundedSwap } from './refusals.ts';
import { forgetWalletFunds, readWalletFunds, shortfallOf } from './wallet-funds.ts';
import type { WalletSwap } from './wallet-swap.ts';
import type { AccountBefore, PaidAccount, SwapShape, WarmSwaps } from './warm-swaps.ts';

/** What it takes to build a swap. */
export interface BuildSwapDependencies extends SnapshotDependencies, BuildDependencies {
  warmSwaps: WarmSwaps;
}

export interface SwapDependencies extends BuildSwapDependencies, SendingDependencies {
  intentKeeper: IntentKeeper;
}

/** A swap that is ready to be stored. */
export interface PreparedSwap {
  swap: WalletSwap;
  /** What the wallet pays or gets, after the platform fee. */
  limitRaw: bigint;
  /** Gets the platform fee; null if there is none. */
  feeAccount: string | null;
  sending: Sending;
  intent: ComposedIntent;
}

const KIND = 'swap';
/** Unit limit of a simulation: about three times the units of a swap. */
export const MEASURED_WITH_UNITS = 400_000;

/** Quotes, builds, simulates and checks a swap. Throws the problem that prevents it. */
export async function prepareSwap(dependencies: SwapDependencies, order: SwapOrder): Promise<PreparedSwap> {
  const { maxComputeUnitPrice, intentKeeper } = dependencies;
  const id = timedId(dependencies.clock.now());
  const tip = takeTip(order.sending, dependencies);
  if (tip instanceof Problem) throw tip;
  const feeAccount = await requireFeeAccount(dependencies, order);
  const extras = { reference: referenceOf(id), tip, feeAccount };
  const { swap, limitRaw, instructions, built } = await buildOnNewestPool(
    atNodesOf(order.sending, dependencies),
    order,
    extras,
  );
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
      ...requiredPayment(swap, feeAccount),
    },
    lastValidBlockHeight: built.lastValidBlockHeight,
    expiresInMs: built.expiresInMs,
    origin: {
      mintAddress: order.mint,
      launchId: null,
      tipLamports: tip?.lamports ?? 0n,
      quote: toIntentQuote(swap, {
        slippageBps: order.limitRaw === null ? order.slippageBps : null,
        limitRaw,
      }),
    },
    ...storedSending(order.sending),
  });
  return { swap, limitRaw, feeAccount, sending: toSending(order.sending, built, tip), intent };
}

/** What the policy of the intent demands, so that no other bytes are sent for it. */
function requiredPayment({ platformFee }: WalletSwap, feeAccount: string | null) {
  const lamports = platformFee?.lamports ?? 0n;
  if (feeAccount === null || lamports === 0n) return {};
  return { platformFee: { account: feeAccount, lamports: String(lamports) } };
}

/** Simulations of one swap whose pool changes between its read and the simulation. */
const MOVES_MAX = 3;
/** Nodes that have not reached the slot of the pool are asked again for a second. */
const LAGS_MAX = 10;
const LAG_PAUSE_MS = 100;
const never = new AbortController().signal;

interface SwapAttempt {
  swap: WalletSwap;
  limitRaw: bigint;
  instructions: Instruction[];
  /** Micro-lamports. */
  computeUnitPrice: bigint;
  build: TransactionBuild;
}

/**
 * A swap that the chain accepts now. The read of pool and wallet may be a slot old, so a swap is refused only
 * after both were read again. Throws the problem of the refusal.
 */
export async function buildOnNewestPool(
  dependencies: BuildSwapDependencies,
  order: SwapOrder,
  extras: SwapExtras,
): Promise<Omit<SwapAttempt, 'build'> & { built: BuiltTransaction }> {
  const { snapshots } = dependencies.tradingCaches;
  let [moves, lags] = [0, 0];
  for (;;) {
    const { build, ...attempt } = await tryToBuild(dependencies, order, extras);
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
  dependencies: BuildSwapDependencies,
  order: SwapOrder,
  extras: SwapExtras,
): Promise<SwapAttempt> {
  const { wallet, version, simulate, terms } = order;
  const place = dependencies.swapGate.of(accountClient(order.accountId));
  // Asked for beside the pool, so that it adds no time: `buildTransaction` finds it kept.
  const [planned, latest] = await Promise.all([
    planSwap(dependencies, order, extras),
    dependencies.blockhashes.latest(),
  ]);
  const { swap, limitRaw, poolLimitRaw, instructions, funds, computeUnitPrice } = planned;
  const { quote, platformFee } = swap;
  const { snapshot } = quote;
  const { tip, feeAccount } = extras;
  const { side, mode } = terms;
  const { completesCurve, stretches } = quote;
  const payment = platformFee?.lamports ?? 0n;
  const { lamportsMax: priorityLamportsMax } = order.sending.priority;
  // What has to be opened is part of the shape, so where no node shows the wallet, or the rent, there is none.
  const rentOf = funds?.rentOf ?? null;
  const shape: SwapShape | null = funds &&
    rentOf && {
      wallet,
      poolAddress: quote.pool.address,
      side,
      mode,
      version,
      completesCurve,
      stretches,
      wrapped: accountBefore(funds.wrapped),
      token: accountBefore(funds.token),
      platformFee: paidAccount(feeAccount, payment, rentOf),
      tip: paidAccount(tip?.account ?? null, tip?.lamports ?? 0n, rentOf),
    };
  const { slot } = snapshot.clock;
  const shortfall = (of: WalletFunds | null, computeUnits: number) =>
    of &&
    shortfallOf(quote, poolLimitRaw, of, {
      computeUnits,
      computeUnitPrice: boundedPrice({
        computeUnitLimit: computeUnits,
        computeUnitPrice,
        priorityLamportsMax,
      }),
      tipLamports: tip?.lamports ?? 0n,
      platformFeeLamports: payment,
    });
  const computeUnitLimit = MEASURED_WITH_UNITS;
  const plan = {
    version,
    feePayer: wallet,
    instructions,
    computeUnitLimit,
    computeUnitPrice,
    priorityLamportsMax,
  };
  const knownLimit = (blockhash: string) => {
    const limit = simulate ? null : dependencies.warmSwaps.limitFor(shape, blockhash);
    return limit !== null && shortfall(funds, limit) === null ? limit : null;
  };
  const build: TransactionBuild =
    latest === null
      ? { outcome: 'unknown', failure: null }
      : await buildTransaction(dependencies, plan, { place, slot, knownLimit });
  if (build.outcome === 'built' && build.unitsConsumed !== null)
    dependencies.warmSwaps.note(shape, build.blockhash, build.unitsConsumed);
  if (build.outcome === 'refused' && readRefusal(build.failure).retry === 'no') {
    const isFeeAccount = build.failure.kind === 'transaction' && build.failure.belowRent === feeAccount;
    if (isFeeAccount && feeAccount !== null && platformFee !== null)
      throw feeBelowRent(feeAccount, platformFee);
    // After any error: for the program, a token that the wallet never held is a missing account. The cached
    // funds may be older than the wallet's last trade.
    forgetWalletFunds(dependencies, wallet, snapshot.facts);
    const lacking = shortfall(
      await readWalletFunds(dependencies, wallet, snapshot.facts, place, slot),
      MEASURED_WITH_UNITS,
    );
    if (lacking !== null) throw unfundedSwap(lacking);
  }
  return { swap, limitRaw, instructions, computeUnitPrice, build };
}

function accountBefore({ isOpen, lamports }: OpenableAccount): AccountBefore {
  return isOpen ? 'open' : `${lamports} lamports`;
}

function paidAccount(account: string | null, lamports: bigint, rentOf: RentOf): PaidAccount {
  if (account === null || lamports === 0n) return 'none';
  return `${account} ${lamports < rentOf(0) ? 'small' : 'opening'}`;
}

function notBuilt({ version }: Pick<SwapOrder, 'version'>, failure: RpcFailure | null): Problem {
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
