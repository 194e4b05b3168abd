import { DAMM_V1, SOL_DYNAMIC_VAULT, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import type { OuterInstruction } from './chain-transaction.ts';
import type { SwapEvent } from './curve-event-body.ts';
import type { SolSide } from './damm-event-body.ts';
import {
  DAMM_V1_OPENED_POOL,
  dammV1Instructions,
  dammV1SwapAccounts as indexes,
  opensPool,
} from './damm-v1-program.ts';
import type { DecodedTransaction, FactPosition, SkipReason } from './decoded-transaction.ts';
import { instructionDiscriminator } from './discriminators.ts';
import type { KnownPools, TokenPool } from './known-pools.ts';
import { callsOf, innerRange, type ProgramCall } from './program-calls.ts';
import { addTrade } from './swap-trade.ts';
import { tokenTransfer } from './token-transfers.ts';

/** The facts that all instructions of a transaction share. */
interface TransactionContext {
  position: Pick<FactPosition, 'signature' | 'slot' | 'blockTime'>;
  pools: KnownPools;
  /** Mint of a token account that the transaction touched. Null when the node does not report it. */
  mintOf(account: string): string | null;
}

/**
 * Adds the effects of a top-level instruction on known pools of DAMM v1. The program's events are logs, which
 * nodes cut short and anybody can write. Its instructions, with the transfers inside them, are always
 * complete.
 */
export function addDammV1Calls(
  decoded: DecodedTransaction,
  outer: OuterInstruction,
  context: TransactionContext,
): void {
  for (const call of callsOf(outer, DAMM_V1)) {
    const { accounts } = call.instruction;
    const discriminator = instructionDiscriminator(call.instruction);
    const name = dammV1Instructions.get(discriminator);
    const poolAt = (address: string | undefined) => context.pools.at(address, 'damm_v1');
    if (name === undefined) {
      if (accounts.some((address) => poolAt(address) !== undefined)) countUnknown(decoded, discriminator);
    } else if (name === 'swap') {
      const pool = poolAt(accounts[indexes.pool]);
      if (pool === undefined) continue;
      const reason = addSwap(decoded, outer, call, pool, context);
      if (reason !== null) decoded.skippedSwaps.push(reason);
    } else if (opensPool(name)) {
      const pool = poolAt(accounts[DAMM_V1_OPENED_POOL]);
      decoded.poolCreated ||= pool !== undefined && context.pools.isRequested(pool.poolAddress);
    }
  }
}

function countUnknown({ unknownEvents }: DecodedTransaction, discriminator: string): void {
  const key = `damm_v1:${discriminator}`;
  unknownEvents.set(key, (unknownEvents.get(key) ?? 0) + 1);
}

function addSwap(
  decoded: DecodedTransaction,
  outer: OuterInstruction,
  call: ProgramCall,
  pool: TokenPool,
  context: TransactionContext,
): SkipReason | null {
  const traderWallet = call.instruction.accounts[indexes.user];
  if (traderWallet === undefined) return 'unreadable';
  const side = solSideOf(call, pool, context);
  if (typeof side === 'object') return side.reason;
  const swap = readSwap(outer, call, side);
  if (swap === null) return 'unreadable';
  const { poolAddress, mintAddress } = pool;
  const { outerIndex } = outer;
  const { innerIndex } = swap;
  const fact = {
    ...context.position,
    outerIndex,
    innerIndex,
    venue: 'damm_v1' as const,
    poolAddress,
    mintAddress,
  };
  return addTrade(decoded, { pool, fact }, traderWallet, () => swap);
}

/** The side of the pool that is SOL, by its vaults. The other side must be the pool's token. */
function solSideOf(
  { instruction: { accounts } }: ProgramCall,
  { mintAddress, venue }: TokenPool,
  context: TransactionContext,
): SolSide | { reason: SkipReason } {
  const mintIn = (vault: string | undefined, tokenVault: string | undefined) =>
    vault === SOL_DYNAMIC_VAULT ? WRAPPED_SOL_MINT : context.mintOf(tokenVault ?? '');
  const mintA = mintIn(accounts[indexes.aVault], accounts[indexes.aTokenVault]);
  const mintB = mintIn(accounts[indexes.bVault], accounts[indexes.bTokenVault]);
  if (mintA !== WRAPPED_SOL_MINT && mintB !== WRAPPED_SOL_MINT) return { reason: 'quote_is_not_sol' };
  const [side, other]: [SolSide, string | null] = mintB === WRAPPED_SOL_MINT ? ['b', mintA] : ['a', mintB];
  // A pool that is known as a DAMM v1 pool is known as the token's. A node without balances cannot contradict
  // this.
  if (other === null) return venue === 'damm_v1' ? side : { reason: 'unreadable' };
  return other === mintAddress ? side : { reason: 'mint_differs' };
}

/**
 * A swap as the token program carried it out. The trader pays in one or more transfers (fees, then the rest
 * into a vault). Then a vault pays the trader, and the swap ends. Null when the inner instructions have
 * another form.
 */
function readSwap(
  outer: OuterInstruction,
  call: ProgramCall,
  solSide: SolSide,
): (SwapEvent & { innerIndex: number }) | null {
  const { accounts } = call.instruction;
  const solVault = accounts[solSide === 'a' ? indexes.aTokenVault : indexes.bTokenVault];
  const tokenVault = accounts[solSide === 'a' ? indexes.bTokenVault : indexes.aTokenVault];
  const { firstInner, endInner } = innerRange(outer, call);
  let paidRaw = 0n;
  for (let innerIndex = firstInner; innerIndex < endInner; innerIndex += 1) {
    const instruction = outer.inner[innerIndex];
    const transfer = instruction === undefined ? null : tokenTransfer(instruction);
    if (transfer === null) continue;
    const { source, destination, raw } = transfer;
    if (source === accounts[indexes.userSource]) paidRaw += raw;
    else if (
      destination === accounts[indexes.userDestination] &&
      (source === solVault || source === tokenVault)
    ) {
      if (paidRaw === 0n) return null;
      return {
        innerIndex,
        type: source === solVault ? 'sell' : 'buy',
        paidRaw,
        receivedRaw: raw,
        // Price and reserve follow from the vaults' accounts, which no transaction shows completely.
        solPerToken: null,
        solReserveRaw: null,
        chainTimeSeconds: null,
      };
    }
  }
  return null;
}
