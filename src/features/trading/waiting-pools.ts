import { tokenVaultAddress } from '../../chain/accounts/derived-addresses.ts';
import { DAMM_V2, SPL_TOKEN, WRAPPED_SOL_MINT } from '../../chain/accounts/programs.ts';
import { migrationProgress } from '../../chain/accounts/virtual-pool.ts';
import type { SwapPool } from '../../chain/transactions/swap-instruction.ts';
import type { WaitingPool, WaitingPoolSource } from '../../intents/waiting-swap.ts';
import { accountClient } from '../../shared/gate.ts';
import { type PoolSnapshot, type SnapshotDependencies, takePoolSnapshot } from './pool-snapshots.ts';
import { notTradable } from './refusals.ts';
import { exactSwapInstructions } from './swap-instructions.ts';
import { contestedAccounts, curveSwapPool } from './swap-pools.ts';

/** Pools of tokens for swaps that wait: the curve, and the pool to which its config migrates it. */
export function createWaitingPools(dependencies: SnapshotDependencies): WaitingPoolSource {
  return async (mint, accountId) => {
    const snapshot = await takePoolSnapshot(
      dependencies,
      mint,
      dependencies.swapGate.of(accountClient(accountId)),
    );
    const { token, facts, curve, clock } = snapshot;
    if (facts.quoteMint !== WRAPPED_SOL_MINT) throw notTradable(token, 'quote_token_unsupported');
    const pools: WaitingPool[] = [];
    if (curve.migrationProgress === migrationProgress.bonding)
      pools.push(poolOf('curve', curveSwapPool(facts), snapshot));
    const amm = await ammPool(snapshot);
    if (amm !== null) pools.push(poolOf('amm', amm, snapshot));
    if (pools.length === 0) throw notTradable(token, 'amm_unsupported');
    return { decimals: facts.decimals, slot: clock.slot, pools };
  };
}

function poolOf(venue: WaitingPool['venue'], pool: SwapPool, { facts }: PoolSnapshot): WaitingPool {
  // A rate limiter may be active when the swap lands; otherwise the program ignores the proof.
  const provesSingleSwap = venue === 'amm' || facts.curve.terms.baseFee.kind === 'rate_limiter';
  return {
    venue,
    writtenAccounts: contestedAccounts(pool),
    instructions: (swap) => exactSwapInstructions({ pool, facts, provesSingleSwap }, swap),
  };
}

/** The AMM pool, which need not exist yet: a migration makes the token of the curve the first side. */
async function ammPool({ facts }: PoolSnapshot): Promise<SwapPool | null> {
  if (facts.amm?.ammProgram !== DAMM_V2) return null;
  const address = facts.amm.ammPoolAddress;
  const vault = (mint: string) => tokenVaultAddress(DAMM_V2, mint, address);
  const [baseVault, quoteVault] = await Promise.all([vault(facts.mintAddress), vault(facts.quoteMint)]);
  return {
    program: DAMM_V2,
    address,
    config: null,
    sides: [
      { mint: facts.mintAddress, tokenProgram: facts.tokenProgram, vault: baseVault },
      { mint: facts.quoteMint, tokenProgram: SPL_TOKEN, vault: quoteVault },
    ],
  };
}
