import { COMPUTE_BUDGET } from '../../chain/accounts/programs.ts';
import type { CurrentReadDependencies } from '../../chain/node-trust/first-current-response.ts';
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
import { feeBelowRent, feeInstructions, OPENING_LAMPORTS, requireOther } from './fee-account.ts';
import type { WalletFunds } from './funds.ts';
import { findFeeAccount } from './manage-fee-accounts.ts';
import type { PlatformFee } from './platform-fee.ts';
import { readAccounts } from './pool-facts.ts';
import type { SnapshotDependencies } from './pool-snapshots.ts';
import { readSwapState } from './read-swap-state.ts';
import { readRefusal, refusedSwap, unfundedSwap } from './refusals.ts';
import { referenceOf, swapInstructions } from './swap-instructions.ts';
import type { SwapTerms } from './swap-terms.ts';
import { forgetWalletFunds, readWalletFunds, shortfallOf } from './wallet-funds.ts';
import { isWithinLimit, poolLimitOf, swapOfWallet, type WalletSwap, walletLimitOf } from './wallet-swap.ts';
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
  terms: SwapTerms;
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
  swap: WalletSwap;
  /** Of the wallet, after the platform fee. */
  limitRaw: bigint;
  /** Gets the platform fee; null without one. */
  feeAccount: string | null;
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
  const feeAccount = await requireFeeAccount(dependencies, order);
  const extras = { reference: referenceOf(id), tip, feeAccount };
  const { swap, limitRaw, instructions, built } = await buildOnNewestPool(dependencies, order, extras);
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
  });
  return { swap, limitRaw, feeAccount, tipLamports: tip?.lamports ?? 0n, intent };
}

/** The account that gets the platform fee; null for an order without one. Throws when none is registered. */
export async function requireFeeAccount(
  { database }: Pick<SnapshotDependencies, 'database'>,
  { accountId, wallet, terms }: Pick<SwapOrder, 'accountId' | 'wallet' | 'terms'>,
): Promise<string | null> {
  if (terms.platformFeeBps === 0) return null;
  const registered = await findFeeAccount(database, accountId);
  if (registered === null) throw new Problem('platform_fee_account_missing');
  requireOther(registered.address, wallet);
  return registered.address;
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

/** What a swap carries besides its own instructions. */
interface SwapExtras {
  /** Makes the bytes unique. */
  reference: string | null;
  tip: Tip | null;
  feeAccount: string | null;
}

interface SwapAttempt {
  swap: WalletSwap;
  limitRaw: bigint;
  instructions: Instruction[];
  build: TransactionBuild;
}

/**
 * A swap that the chain accepts now. The read of pool and wallet may be a slot old, so a swap is refused only
 * after both were read again. Throws the problem of the refusal.
 */
export async function buildOnNewestPool(
  dependencies: Omit<SwapDependencies, 'intentKeeper' | 'tips'>,
  order: Omit<SwapOrder, 'accountId'>,
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
  dependencies: Omit<SwapDependencies, 'intentKeeper' | 'tips'>,
  order: Omit<SwapOrder, 'accountId'>,
  { reference, tip, feeAccount }: SwapExtras,
): Promise<SwapAttempt> {
  const { wallet, version, simulate, terms } = order;
  const { snapshot, balanceRaw, funds: reading } = await readSwapState(dependencies, order);
  const swap = swapOfWallet(snapshot, terms, balanceRaw);
  const { quote, platformFee } = swap;
  const limitRaw = order.limitRaw ?? walletLimitOf(swap, order.slippageBps);
  if (!isWithinLimit(swap, limitRaw)) throw moved(swap, limitRaw);
  const poolLimitRaw = poolLimitOf(swap, limitRaw);
  const instructions = [
    ...(await swapInstructions(quote, wallet, poolLimitRaw, reference)),
    ...feeInstructions(wallet, feeAccount, platformFee),
    ...tipInstructions(wallet, tip),
  ];
  const [funds, computeUnitPrice] = await Promise.all([
    reading,
    order.computeUnitPrice ??
      // Accounts that all traders of the pool write to; the accounts of the wallet have no competition.
      automaticPrice(dependencies, [quote.pool.address, ...quote.pool.sides.map(({ vault }) => vault)]),
  ]);
  const { side, mode } = terms;
  const { completesCurve, stretches } = quote;
  const payment = platformFee?.lamports ?? 0n;
  const shape = {
    wallet,
    poolAddress: quote.pool.address,
    side,
    mode,
    version,
    completesCurve,
    stretches,
    payment: payment === 0n ? 'none' : payment < OPENING_LAMPORTS ? 'small' : 'opening',
  } as const;
  const { slot } = snapshot.clock;
  const shortfall = (of: WalletFunds | null, computeUnits: number) =>
    of &&
    shortfallOf(quote, poolLimitRaw, of, {
      computeUnits,
      computeUnitPrice,
      tipLamports: tip?.lamports ?? 0n,
      platformFeeLamports: payment,
    });
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
    if (shape.payment === 'small' && feeAccount !== null && platformFee !== null)
      await requireFundedFeeAccount(dependencies, feeAccount, platformFee);
  }
  return { swap, limitRaw, instructions, build };
}

/** Throws when the payment is what the chain refused: it would leave the fee account below its rent. */
async function requireFundedFeeAccount(
  nodes: CurrentReadDependencies,
  address: string,
  fee: PlatformFee,
): Promise<void> {
  const { accounts } = await readAccounts(nodes, [address]);
  const held = accounts.get(address)?.lamports ?? 0n;
  if (held + fee.lamports < OPENING_LAMPORTS) throw feeBelowRent(address, fee);
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

function moved({ quote, inputRaw, outputRaw }: WalletSwap, limitRaw: bigint): Problem {
  const { request, snapshot } = quote;
  return new Problem('swap_quote_outdated', {
    context: {
      limitRaw: String(limitRaw),
      ...(request.mode === 'exact_in' ? { outputRaw: String(outputRaw) } : { inputRaw: String(inputRaw) }),
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
