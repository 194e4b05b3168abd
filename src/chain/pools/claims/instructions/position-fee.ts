import { DAMM_V2 } from '../../../accounts/programs.ts';
import { type Instruction, readonly, signer, writable } from '../../../transactions/instruction.ts';
import { authorities, type PoolSide } from '../../../transactions/swap-instruction.ts';
import { claimDiscriminators } from './claim-discriminators.ts';

/** A position of an AMM pool. Whoever owns the account with its NFT owns the position. */
export interface ClaimedPosition {
  pool: string;
  position: string;
  nftAccount: string;
  /** A and B of the pool. */
  sides: readonly [PoolSide, PoolSide];
}

/** Pays the fees of a position, all of them, to two token accounts. */
export function claimPositionFee(
  { pool, position, nftAccount, sides: [a, b] }: ClaimedPosition,
  { wallet, accounts: [accountA, accountB] }: { wallet: string; accounts: readonly [string, string] },
): Instruction {
  const { pool: poolAuthority, event } = authorities[DAMM_V2];
  return {
    program: DAMM_V2,
    accounts: [
      readonly(poolAuthority),
      readonly(pool),
      writable(position),
      writable(accountA),
      writable(accountB),
      writable(a.vault),
      writable(b.vault),
      readonly(a.mint),
      readonly(b.mint),
      readonly(nftAccount),
      signer(wallet),
      readonly(a.tokenProgram),
      readonly(b.tokenProgram),
      readonly(event),
      readonly(DAMM_V2),
    ],
    data: claimDiscriminators.positionFee,
  };
}
