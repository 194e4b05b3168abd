import { BONDING_CURVE, SPL_TOKEN } from '../../chain/accounts/programs.ts';
import type { SwapPool } from '../../chain/transactions/swap-instruction.ts';
import type { PoolFacts } from './pool-facts.ts';

/** The curve of a token as a pool for swaps. */
export function curveSwapPool(facts: PoolFacts): SwapPool {
  const { mintAddress, tokenProgram, quoteMint, curve } = facts;
  return {
    program: BONDING_CURVE,
    address: curve.address,
    config: curve.config,
    sides: [
      { mint: mintAddress, tokenProgram, vault: curve.baseVault },
      { mint: quoteMint, tokenProgram: SPL_TOKEN, vault: curve.quoteVault },
    ],
  };
}

/** Accounts that all traders of the pool write, so that their transactions compete for them. */
export function contestedAccounts({ address, sides }: SwapPool): string[] {
  return [address, ...sides.map(({ vault }) => vault)];
}
