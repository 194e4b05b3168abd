import type { ChainTransaction } from './chain-transaction.ts';
import { readPoolOf } from './curve-event-body.ts';
import { curveReaders } from './curve-events.ts';
import { curveEvents } from './curve-program.ts';
import { dammReaders } from './damm-events.ts';
import { dammEvents } from './damm-program.ts';
import { addDammV1Calls } from './damm-v1-calls.ts';
import {
  type DecodedTrade,
  type DecodedTransaction,
  nothingDecoded,
  type SkipReason,
} from './decoded-transaction.ts';
import { type EmittedEvent, emittedEvents } from './emitted-events.ts';
import { addFeeClaim } from './fee-claims.ts';
import { KnownPools, type PoolLookup, type TokenPool } from './known-pools.ts';
import { type MigrationCall, migrationsIn } from './migrations.ts';
import { type PoolEvent, toDate } from './pool-event.ts';
import { tokenAccountOwners } from './token-account-owners.ts';

/** Swap events. The reasons why a swap made no trade are counted apart. */
const swapEvents: ReadonlySet<string> = new Set(['EvtSwap', 'EvtSwap2', 'EvtSwap2WithTransferHook']);

/**
 * Decodes the effects of `transaction` on one pool, or on several pools by address. A failed transaction had
 * none, whatever its events say. The AMM pool of a migration is found from the curve, so the transaction that
 * both pools share yields the same facts for either pool.
 */
export function decodeTransaction(
  transaction: ChainTransaction,
  pools: TokenPool | PoolLookup,
): DecodedTransaction {
  const decoded = nothingDecoded();
  if (transaction.failed) return decoded;
  const scope = new TransactionScope(transaction, new KnownPools(pools));
  for (const outer of transaction.instructions) {
    const migrations = migrationsIn(outer, scope.position, scope.pools);
    decoded.migrations.push(...migrations.map(({ migration }) => migration));
    const siblings = emittedEvents(outer);
    for (const event of siblings) applyEvent(decoded, event, { siblings, migrations, scope });
    addDammV1Calls(decoded, outer, scope);
  }
  decoded.trades.sort(byExecution);
  return decoded;
}

function byExecution(left: DecodedTrade, right: DecodedTrade): number {
  return left.outerIndex - right.outerIndex || left.innerIndex - right.innerIndex;
}

/** The facts that all instructions of a transaction share. */
class TransactionScope {
  readonly pools: KnownPools;
  readonly position: { signature: string; slot: bigint; blockTime: Date | null };
  readonly #transaction: ChainTransaction;
  /** Read on first use, because most transactions are swaps, which do not need it. */
  #owners: ReadonlyMap<string, string> | null = null;

  constructor(transaction: ChainTransaction, pools: KnownPools) {
    const { signature, slot, blockTimeSeconds } = transaction;
    this.position = { signature, slot, blockTime: toDate(blockTimeSeconds) };
    this.pools = pools;
    this.#transaction = transaction;
  }

  mintOf(account: string): string | null {
    const { tokenBalances } = this.#transaction;
    return tokenBalances.findLast(({ accountAddress }) => accountAddress === account)?.mintAddress ?? null;
  }

  ownerOf(account: string): string | null {
    this.#owners ??= tokenAccountOwners(this.#transaction);
    return this.#owners.get(account) ?? null;
  }
}

interface EventContext {
  siblings: readonly EmittedEvent[];
  migrations: readonly MigrationCall[];
  scope: TransactionScope;
}

function applyEvent(decoded: DecodedTransaction, event: EmittedEvent, context: EventContext): void {
  const { venue, discriminator } = event;
  const name = (venue === 'dbc' ? curveEvents : dammEvents).get(discriminator);
  if (name === undefined) {
    const key = venue === 'dbc' ? discriminator : `${venue}:${discriminator}`;
    decoded.unknownEvents.set(key, (decoded.unknownEvents.get(key) ?? 0) + 1);
    return;
  }
  const found = poolEvent(name, event, context);
  if (found === null) return;
  const reason = readEvent(found, decoded);
  if (reason === null) return;
  if (swapEvents.has(name)) decoded.skippedSwaps.push(reason);
  else decoded.skippedEvents.push({ venue, poolAddress: found.pool.poolAddress, eventName: name, reason });
}

/** Null when the event is not about a known pool. */
function poolEvent(name: string, event: EmittedEvent, context: EventContext): PoolEvent | null {
  const { scope, siblings, migrations } = context;
  const { venue, outerIndex, innerIndex } = event;
  const pool = scope.pools.at(readPoolOf(event.body) ?? undefined, venue);
  if (pool === undefined) return null;
  const { poolAddress, mintAddress } = pool;
  const part = migrations.find(
    ({ migration, firstInner, endInner }) =>
      migration.ammPoolAddress === poolAddress && innerIndex >= firstInner && innerIndex < endInner,
  );
  return {
    name,
    event,
    pool,
    isRequested: scope.pools.isRequested(poolAddress),
    fact: { ...scope.position, outerIndex, innerIndex, venue, poolAddress, mintAddress },
    siblings,
    migration: part?.migration ?? null,
    ownerOf: (account) => scope.ownerOf(account),
  };
}

function readEvent(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  const claimed = addFeeClaim(decoded, found);
  if (claimed !== undefined) return claimed;
  const read = (found.event.venue === 'dbc' ? curveReaders : dammReaders)[found.name];
  return read === undefined ? null : read(found, decoded);
}
