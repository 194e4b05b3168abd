import { COMPUTE_BUDGET } from '../../chain/accounts/programs.ts';
import type { RentOf } from '../../chain/accounts/sysvars.ts';
import type { SimulationFailure } from '../../chain/failures/simulation-failure.ts';
import type { RpcFailure } from '../../chain/rpc/rpc-failure.ts';
import {
  type BuildDependencies,
  type BuiltTransaction,
  buildTransaction,
  type TransactionBuild,
} from '../../chain/transactions/build-transaction.ts';
import type { Instruction } from '../../chain/transactions/instruction.ts';
import { boundedPrice } from '../../chain/transactions/priority.ts';
import type { Shortfall } from '../../chain/transactions/shortfall.ts';
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
import { accountClient, type ClientGate } from '../../shared/gate.ts';
import { wait } from '../../shared/loop.ts';
import { Problem } from '../../shared/problem.ts';
import { timedId } from '../../shared/timed-id.ts';
import { feeBelowRent } from './fee-account.ts';
import type { OpenableAccount, WalletFunds } from './funds.ts';
import {
  type PlannedSwap,
  planSwap,
  requireFeeAccount,
  type SwapExtras,
  type WalletOrder,
} from './plan-swap.ts';
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
export async function prepareSwap(dependencies: SwapDependencies, order: WalletOrder): Promise<PreparedSwap> {
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
  order: WalletOrder,
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

/** A planned swap, with what it was planned for. */
interface PlannedOrder {
  order: WalletOrder;
  extras: SwapExtras;
  planned: PlannedSwap;
}

async function tryToBuild(
  dependencies: BuildSwapDependencies,
  order: WalletOrder,
  extras: SwapExtras,
): Promise<SwapAttempt> {
  const place = dependencies.swapGate.of(accountClient(order.accountId));
  // Asked for beside the pool, so that it adds no time: `buildTransaction` finds it kept.
  const [planned, latest] = await Promise.all([
    planSwap(dependencies, order, extras),
    dependencies.blockhashes.latest(),
  ]);
  const { swap, limitRaw, instructions, funds, computeUnitPrice } = planned;
  const shape = shapeOf({ order, extras, planned });
  const plan = {
    version: order.version,
    feePayer: order.wallet,
    instructions,
    computeUnitLimit: MEASURED_WITH_UNITS,
    computeUnitPrice,
    priorityLamportsMax: order.sending.priority.lamportsMax,
  };
  const knownLimit = (blockhash: string) => {
    const limit = order.simulate ? null : dependencies.warmSwaps.limitFor(shape, blockhash);
    if (limit === null) return null;
    return shortfallAt(limit, funds, { order, extras, planned }) === null ? limit : null;
  };
  const { slot } = swap.quote.snapshot.clock;
  const build: TransactionBuild =
    latest === null
      ? { outcome: 'unknown', failure: null }
      : await buildTransaction(dependencies, plan, { place, slot, knownLimit });
  if (build.outcome === 'built' && build.unitsConsumed !== null)
    dependencies.warmSwaps.note(shape, build.blockhash, build.unitsConsumed);
  if (build.outcome === 'refused' && readRefusal(build.failure).retry === 'no')
    await explainRefusal(dependencies, build.failure, { order, extras, planned }, place);
  return { swap, limitRaw, instructions, computeUnitPrice, build };
}

/** Null where no node shows the wallet, or the rent: what has to be opened is part of the shape. */
function shapeOf({ order, extras, planned: { swap, funds } }: PlannedOrder): SwapShape | null {
  if (funds === null || funds.rentOf === null) return null;
  const { wallet, version, terms } = order;
  const { tip, feeAccount } = extras;
  const { pool, completesCurve, stretches } = swap.quote;
  return {
    wallet,
    poolAddress: pool.address,
    side: terms.side,
    mode: terms.mode,
    version,
    completesCurve,
    stretches,
    wrapped: accountBefore(funds.wrapped),
    token: accountBefore(funds.token),
    platformFee: paidAccount(feeAccount, swap.platformFee?.lamports ?? 0n, funds.rentOf),
    tip: paidAccount(tip?.account ?? null, tip?.lamports ?? 0n, funds.rentOf),
  };
}

/** What a wallet with these funds lacks at a unit limit; null when nothing is known to be missing. */
function shortfallAt(
  computeUnits: number,
  funds: WalletFunds | null,
  { order, extras, planned: { swap, poolLimitRaw, computeUnitPrice } }: PlannedOrder,
): Shortfall | null {
  if (funds === null) return null;
  const priorityLamportsMax = order.sending.priority.lamportsMax;
  return shortfallOf(swap.quote, poolLimitRaw, funds, {
    computeUnits,
    computeUnitPrice: boundedPrice({ computeUnitLimit: computeUnits, computeUnitPrice, priorityLamportsMax }),
    tipLamports: extras.tip?.lamports ?? 0n,
    platformFeeLamports: swap.platformFee?.lamports ?? 0n,
  });
}

/** Throws the problem of a final refusal whose cause the accounts show: the fee account, or what the wallet lacks. */
async function explainRefusal(
  dependencies: BuildSwapDependencies,
  failure: SimulationFailure,
  { order, extras, planned }: PlannedOrder,
  place: ClientGate,
): Promise<void> {
  const { feeAccount } = extras;
  const { platformFee, quote } = planned.swap;
  const isFeeAccount = failure.kind === 'transaction' && failure.belowRent === feeAccount;
  if (isFeeAccount && feeAccount !== null && platformFee !== null)
    throw feeBelowRent(feeAccount, platformFee);
  // After any error: for the program, a token that the wallet never held is a missing account. The cached
  // funds may be older than the wallet's last trade.
  const { facts, clock } = quote.snapshot;
  forgetWalletFunds(dependencies, order.wallet, facts);
  const funds = await readWalletFunds(dependencies, order.wallet, facts, place, clock.slot);
  const lacking = shortfallAt(MEASURED_WITH_UNITS, funds, { order, extras, planned });
  if (lacking !== null) throw unfundedSwap(lacking);
}

function accountBefore({ isOpen, lamports }: OpenableAccount): AccountBefore {
  return isOpen ? 'open' : `${lamports} lamports`;
}

function paidAccount(account: string | null, lamports: bigint, rentOf: RentOf): PaidAccount {
  if (account === null || lamports === 0n) return 'none';
  return `${account} ${lamports < rentOf(0) ? 'small' : 'opening'}`;
}

function notBuilt({ version }: Pick<WalletOrder, 'version'>, failure: RpcFailure | null): Problem {
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
