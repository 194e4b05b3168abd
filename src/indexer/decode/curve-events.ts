import { WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { BodyReader, readOrNull } from './body-reader.ts';
import { readLegacySwapEvent, readSwapEvent } from './curve-event-body.ts';
import { readCurveLaunch } from './curve-launch.ts';
import { curveEvents, curveSwapAccounts, curveSwapInstructions } from './curve-program.ts';
import type { DecodedTransaction, SkipReason } from './decoded-transaction.ts';
import { accountOf, type EventReader, type PoolEvent } from './pool-event.ts';
import { addTrade } from './swap-trade.ts';
import { toSol } from './trade-values.ts';

/** Readers of the bonding curve's events by name. Claims of fees are read by their shapes. */
export const curveReaders: Readonly<Record<string, EventReader>> = {
  EvtSwap: (found, decoded) => {
    // New programs emit both events for one swap. The legacy event counts only when there is no new one.
    if (hasNewerSibling(found)) return null;
    return addCurveSwap(found, decoded, readLegacySwapEvent);
  },
  EvtSwap2: (found, decoded) => addCurveSwap(found, decoded, readSwapEvent),
  EvtSwap2WithTransferHook: (found, decoded) => addCurveSwap(found, decoded, readSwapEvent),
  EvtCurveComplete: addCompletion,
  EvtCurveCompleteWithTransferHook: addCompletion,
  EvtInitializePool: addLaunch,
  EvtInitializePoolWithTransferHook: addLaunch,
};

function hasNewerSibling({ event, siblings }: PoolEvent): boolean {
  return siblings.some(({ emitter, discriminator }) => {
    const name = emitter === event.emitter ? curveEvents.get(discriminator) : undefined;
    return name === 'EvtSwap2' || name === 'EvtSwap2WithTransferHook';
  });
}

function addCurveSwap(
  found: PoolEvent,
  decoded: DecodedTransaction,
  read: typeof readSwapEvent,
): SkipReason | null {
  const { event, pool } = found;
  const traderWallet = accountOf(found, curveSwapAccounts.payer);
  const isSwap =
    curveSwapInstructions.has(event.emitterDiscriminator) &&
    accountOf(found, curveSwapAccounts.pool) === pool.poolAddress;
  if (!isSwap || traderWallet === undefined) return 'unreadable';
  if (!isQuotedInSol(found)) return 'quote_is_not_sol';
  if (accountOf(found, curveSwapAccounts.baseMint) !== pool.mintAddress) return 'mint_differs';
  return addTrade(decoded, found, traderWallet, () => read(event.body));
}

function isQuotedInSol(found: PoolEvent): boolean {
  return accountOf(found, curveSwapAccounts.quoteMint) === WRAPPED_SOL_MINT;
}

/** The swap that completes the curve emits this event. */
function addCompletion(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  const isSwap = curveSwapInstructions.has(found.event.emitterDiscriminator);
  if (isSwap && accountOf(found, curveSwapAccounts.baseMint) !== found.pool.mintAddress)
    return 'mint_differs';
  const reserveRaw = readOrNull(() => {
    const reader = new BodyReader(found.event.body);
    reader.skip(32 + 32 + 8); // pool, config, base_reserve
    return reader.u64();
  });
  const isInSol = isSwap && isQuotedInSol(found);
  const liquidityInSol = reserveRaw !== null && isInSol ? toSol(reserveRaw) : null;
  decoded.curveCompletions.push({ ...found.fact, liquidityInSol });
  return null;
}

function addLaunch(found: PoolEvent, decoded: DecodedTransaction): SkipReason | null {
  decoded.poolCreated = true;
  const launch = readCurveLaunch(found.event);
  if (launch === null) return 'unreadable';
  if (launch.mintAddress !== found.pool.mintAddress) return 'mint_differs';
  decoded.launches.push({ ...found.fact, ...launch });
  return null;
}
