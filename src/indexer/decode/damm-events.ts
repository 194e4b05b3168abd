import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { rawToDecimal } from '../../shared/decimal.ts';
import { readOrNull } from './body-reader.ts';
import type { SwapEvent } from './curve-event-body.ts';
import {
  readDammOpening,
  readDammSwapEvent,
  readLegacyDammSwapEvent,
  readLiquidityChange,
  readPermanentLock,
  readPositionCreated,
  type SolSide,
} from './damm-event-body.ts';
import {
  dammEvents,
  dammLiquidityAccounts,
  dammLiquidityInstructions,
  dammOpeningAccounts,
  dammOpeningInstructions,
  dammSwapAccounts,
  dammSwapInstructions,
  POSITION_NFT_ACCOUNT,
} from './damm-program.ts';
import type { DecodedTransaction, MigratedPosition, SkipReason } from './decoded-transaction.ts';
import { hasUsableDecimals } from './known-pools.ts';
import { accountOf, type EventReader, type PoolEvent } from './pool-event.ts';
import { addTrade } from './swap-trade.ts';
import { toSol } from './trade-values.ts';

/** Readers of the events of DAMM v2 by name. Claims of fees are read by their shapes. */
export const dammReaders: Readonly<Record<string, EventReader>> = {
  EvtSwap: (found, decoded) => {
    if (hasNewerSibling(found)) return null;
    return addDammSwap(found, decoded, readLegacyDammSwapEvent);
  },
  EvtSwap2: (found, decoded) => addDammSwap(found, decoded, readDammSwapEvent),
  EvtInitializePool: addOpening,
  EvtCreatePosition: addPosition,
  EvtLiquidityChange: addLiquidityChange,
  EvtPermanentLockPosition: addPermanentLock,
  EvtAddLiquidity: () => 'older_generation',
  EvtRemoveLiquidity: () => 'older_generation',
  EvtClaimPartnerFee: () => 'older_generation',
};

function hasNewerSibling({ event, siblings }: PoolEvent): boolean {
  return siblings.some(
    ({ emitter, discriminator }) => emitter === event.emitter && dammEvents.get(discriminator) === 'EvtSwap2',
  );
}

function addDammSwap(
  found: PoolEvent,
  decoded: DecodedTransaction,
  read: (body: Uint8Array, solSide: SolSide) => SwapEvent,
): SkipReason | null {
  const { event, pool } = found;
  const traderWallet = accountOf(found, dammSwapAccounts.payer);
  const isSwap =
    dammSwapInstructions.has(event.emitterDiscriminator) &&
    accountOf(found, dammSwapAccounts.pool) === pool.poolAddress;
  if (!isSwap || traderWallet === undefined) return 'unreadable';
  const side = solSideOf(found, dammSwapAccounts);
  if (typeof side === 'object') return side.reason;
  return addTrade(decoded, found, traderWallet, () => read(event.body, side));
}

/**
 * The side of the pool that is SOL, by the mints of the instruction. The other side must be the pool's token.
 */
function solSideOf(
  found: PoolEvent,
  indexes: { mintA: number; mintB: number },
): SolSide | { reason: SkipReason } {
  const [mintA, mintB] = [accountOf(found, indexes.mintA), accountOf(found, indexes.mintB)];
  if (mintB === WRAPPED_SOL_MINT) return mintA === found.pool.mintAddress ? 'b' : { reason: 'mint_differs' };
  if (mintA === WRAPPED_SOL_MINT) return mintB === found.pool.mintAddress ? 'a' : { reason: 'mint_differs' };
  return { reason: 'quote_is_not_sol' };
}

function addOpening(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  const { event, pool, migration } = found;
  decoded.poolCreated ||= found.isRequested;
  const instruction = dammOpeningInstructions.get(event.emitterDiscriminator);
  const opening = readOrNull(() => readDammOpening(event.body));
  if (instruction === undefined || opening === null) return 'unreadable';
  const indexes = dammOpeningAccounts[instruction];
  if (accountOf(found, indexes.pool) !== pool.poolAddress) return 'unreadable';
  const side = solSideOf(found, indexes);
  if (typeof side === 'object') return side.reason;
  const { creator, payer, activationPoint } = opening;
  const configAddress = indexes.config === null ? null : (accountOf(found, indexes.config) ?? null);
  decoded.ammPoolsCreated.push({ ...found.fact, creator, payer, configAddress, activationPoint });
  decoded.liquidityInSol.set(pool.poolAddress, toSol(opening[`${side}Raw`]));
  const first = positionIn(migration?.positions, accountOf(found, indexes.position));
  if (first !== undefined) first.liquidity += opening.liquidity;
  return null;
}

function addPosition(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  const created = readOrNull(() => readPositionCreated(found.event.body));
  if (created === null) return 'unreadable';
  // A migration creates the positions and then transfers their NFTs, so the event does not hold the final
  // owner.
  const nftAccount = accountOf(found, POSITION_NFT_ACCOUNT);
  const position = {
    positionAddress: created.position,
    ownerAddress: (nftAccount === undefined ? null : found.ownerOf(nftAccount)) ?? created.owner,
    nftMintAddress: created.nftMint,
  };
  decoded.positionsCreated.push({ ...found.fact, ...position });
  found.migration?.positions.push({ ...position, liquidity: 0n, permanentlyLockedLiquidity: 0n });
  return null;
}

function addLiquidityChange(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  const { event, pool, migration } = found;
  const instruction = dammLiquidityInstructions.get(event.emitterDiscriminator);
  const change = readOrNull(() => readLiquidityChange(event.body));
  if (instruction === undefined || change === null) return 'unreadable';
  const indexes = dammLiquidityAccounts[instruction];
  if (accountOf(found, indexes.pool) !== pool.poolAddress) return 'unreadable';
  const side = solSideOf(found, indexes);
  if (typeof side === 'object') return side.reason;
  if (!hasUsableDecimals(pool)) return 'decimals_unusable';
  decoded.liquidityInSol.set(pool.poolAddress, toSol(change.reserves[`${side}Raw`]));
  if (migration !== null) {
    const position = positionIn(migration.positions, change.position);
    if (position !== undefined) position.liquidity += change.liquidity;
    return null;
  }
  const [solRaw, tokenRaw] = side === 'a' ? [change.aRaw, change.bRaw] : [change.bRaw, change.aRaw];
  decoded.liquidityChanges.push({
    ...found.fact,
    kind: change.kind,
    positionAddress: change.position,
    ownerAddress: change.owner,
    liquidity: change.liquidity,
    solAmount: toSol(solRaw),
    tokenAmount: rawToDecimal(tokenRaw, pool.decimals),
  });
  return null;
}

function addPermanentLock(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  const lock = readOrNull(() => readPermanentLock(found.event.body));
  if (lock === null) return 'unreadable';
  const { position: positionAddress, liquidity, poolTotal } = lock;
  decoded.permanentLocks.push({
    ...found.fact,
    positionAddress,
    liquidity,
    poolTotalPermanentlyLocked: poolTotal,
  });
  const position = positionIn(found.migration?.positions, positionAddress);
  if (position !== undefined) position.permanentlyLockedLiquidity += liquidity;
  return null;
}

function positionIn(
  positions: readonly MigratedPosition[] | undefined,
  address: string | undefined,
): MigratedPosition | undefined {
  return positions?.find(({ positionAddress }) => positionAddress === address);
}
