import type { ChainTransaction } from './chain-transaction.ts';
import {
  eventMeanings,
  migrationInstructions,
  swapAccounts,
  swapInstructions,
  WRAPPED_SOL_MINT,
} from './curve-program.ts';
import {
  type EmittedEvent,
  emittedEvents,
  instructionDiscriminator,
  programCalls,
} from './emitted-events.ts';
import { readLegacySwapEvent, readPoolOf, readSwapEvent, type SwapEvent } from './swap-event.ts';
import { type TradeValues, tradeValues } from './trade-values.ts';

/** A bonding-curve pool of a known token. */
export interface CurvePool {
  poolAddress: string;
  mintAddress: string;
  /** Of the token. */
  decimals: number;
}

/** A swap of the pool; its identity is (signature, outerIndex, innerIndex). */
export interface DecodedTrade extends TradeValues {
  mintAddress: string;
  poolAddress: string;
  traderWallet: string;
  outerIndex: number;
  innerIndex: number;
  slot: bigint;
  signature: string;
  blockTime: Date;
}

/** Why a swap of the pool made no trade. */
export type SkippedSwap = 'quote_is_not_sol' | 'mint_differs' | 'no_tokens_moved' | 'unreadable';

/** What a transaction did to one pool. */
export interface DecodedTransaction {
  /** In the order of execution. */
  trades: DecodedTrade[];
  poolCreated: boolean;
  curveCompleted: boolean;
  /** The liquidity has moved to another program's pool. */
  migrated: boolean;
  /** Events of the program whose discriminator is not known, with their number: a sign of an upgrade. */
  unknownEvents: Map<string, number>;
  skippedSwaps: SkippedSwap[];
}

/** Decodes what `transaction` did to `pool`. A failed transaction did nothing, whatever its events say. */
export function decodeTransaction(transaction: ChainTransaction, pool: CurvePool): DecodedTransaction {
  const decoded: DecodedTransaction = {
    trades: [],
    poolCreated: false,
    curveCompleted: false,
    migrated: false,
    unknownEvents: new Map(),
    skippedSwaps: [],
  };
  if (transaction.failed) return decoded;
  for (const outer of transaction.instructions) {
    const events = emittedEvents(outer);
    for (const event of events) applyEvent(decoded, event, events, { transaction, pool });
    decoded.migrated ||= programCalls(outer).some(
      (call) =>
        call.accounts.includes(pool.poolAddress) && migrationInstructions.has(instructionDiscriminator(call)),
    );
  }
  return decoded;
}

interface Place {
  transaction: ChainTransaction;
  pool: CurvePool;
}

function applyEvent(
  decoded: DecodedTransaction,
  event: EmittedEvent,
  siblings: readonly EmittedEvent[],
  place: Place,
): void {
  const meaning = eventMeanings.get(event.discriminator);
  switch (meaning) {
    case undefined:
      decoded.unknownEvents.set(
        event.discriminator,
        (decoded.unknownEvents.get(event.discriminator) ?? 0) + 1,
      );
      return;
    case 'swap':
    case 'legacy_swap':
      // One swap emits both: the legacy event counts only where the program knew no other yet.
      if (meaning === 'legacy_swap' && hasSwapSibling(event, siblings)) return;
      addSwap(decoded, event, meaning === 'swap' ? readSwapEvent : readLegacySwapEvent, place);
      return;
    case 'curve_complete':
      decoded.curveCompleted ||= namesPool(event, place.pool);
      return;
    case 'pool_created':
      // Its fields are pool, config, creator, base mint.
      decoded.poolCreated ||= namesPool(event, place.pool);
      return;
    case 'irrelevant':
      return;
  }
}

function hasSwapSibling({ emitter }: EmittedEvent, siblings: readonly EmittedEvent[]): boolean {
  return siblings.some(
    (other) => other.emitter === emitter && eventMeanings.get(other.discriminator) === 'swap',
  );
}

function namesPool({ body }: EmittedEvent, { poolAddress }: CurvePool): boolean {
  return body.byteLength >= 32 && readPoolOf(body) === poolAddress;
}

function addSwap(
  decoded: DecodedTransaction,
  event: EmittedEvent,
  read: (body: Uint8Array) => SwapEvent,
  { transaction, pool }: Place,
): void {
  if (!namesPool(event, pool)) return;
  const outcome = readSwap(event, read, pool);
  if (typeof outcome === 'string') {
    decoded.skippedSwaps.push(outcome);
    return;
  }
  const { swap, values, traderWallet } = outcome;
  decoded.trades.push({
    ...values,
    mintAddress: pool.mintAddress,
    poolAddress: pool.poolAddress,
    traderWallet,
    outerIndex: event.outerIndex,
    innerIndex: event.innerIndex,
    slot: transaction.slot,
    signature: transaction.signature,
    blockTime: new Date(Number(transaction.blockTimeSeconds ?? swap.chainTimeSeconds) * 1_000),
  });
}

function readSwap(
  { body, emitter, emitterDiscriminator }: EmittedEvent,
  read: (body: Uint8Array) => SwapEvent,
  pool: CurvePool,
): SkippedSwap | { swap: SwapEvent; values: TradeValues; traderWallet: string } {
  const { accounts } = emitter;
  const traderWallet = accounts[swapAccounts.payer];
  const isSwap =
    swapInstructions.has(emitterDiscriminator) && accounts[swapAccounts.pool] === pool.poolAddress;
  if (!isSwap || traderWallet === undefined) return 'unreadable';
  if (accounts[swapAccounts.quoteMint] !== WRAPPED_SOL_MINT) return 'quote_is_not_sol';
  if (accounts[swapAccounts.baseMint] !== pool.mintAddress) return 'mint_differs';
  const swap = readOrNull(read, body);
  if (swap === null) return 'unreadable';
  const values = tradeValues(swap, pool.decimals);
  return values === null ? 'no_tokens_moved' : { swap, values, traderWallet };
}

/** Null for an event that does not have its layout: reported by the caller, never fatal. */
function readOrNull(read: (body: Uint8Array) => SwapEvent, body: Uint8Array): SwapEvent | null {
  try {
    return read(body);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
