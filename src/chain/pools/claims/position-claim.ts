import type { ChainAccount } from '../../accounts/account-data.ts';
import { readDammPosition } from '../../accounts/damm-position.ts';
import { SPL_TOKEN, TOKEN_2022 } from '../../accounts/programs.ts';
import { readTokenOwner } from '../../accounts/token-account.ts';
import { readUnclaimedPositionFees } from '../../accounts/unclaimed-fees.ts';
import { readDammPoolKeys, readDammPoolState } from '../damm/pool-account.ts';
import type { PositionClaim } from './claim.ts';

/** A position of an AMM pool, and the token account that is said to hold its NFT. */
export interface PositionAddresses {
  /** The token of the service that the pool trades. */
  mint: string;
  pool: string;
  position: string;
  nftMint: string;
  nftAccount: string;
}

/**
 * The fees of the position, from accounts of one slot. `nothing` when the wallet does not hold the NFT, or
 * nothing is due; null when the accounts are no position of a pool of the mint.
 */
export function readPositionClaim(
  wallet: string,
  { mint, pool: poolAddress, position, nftMint, nftAccount }: PositionAddresses,
  account: (address: string) => ChainAccount | null,
  slot: bigint,
): PositionClaim | 'nothing' | null {
  const pool = { address: poolAddress, account: account(poolAddress) };
  const [state, keys] = [readDammPoolState(pool.account), readDammPoolKeys(pool.account)];
  const fees = readUnclaimedPositionFees(pool, account(position));
  if (state === null || keys === null || fees === null) return null;
  if (readDammPosition(account(position))?.nftMint !== nftMint) return null;
  const isBaseTokenA = keys.tokenAMint === mint;
  if (!isBaseTokenA && keys.tokenBMint !== mint) return null;
  if (readTokenOwner(account(nftAccount), nftMint) !== wallet || (fees.aRaw === 0n && fees.bRaw === 0n))
    return 'nothing';
  const a = {
    mint: keys.tokenAMint,
    tokenProgram: tokenProgram(state.tokenAFlag),
    vault: keys.tokenAVault,
    amountRaw: fees.aRaw,
  };
  const b = {
    mint: keys.tokenBMint,
    tokenProgram: tokenProgram(state.tokenBFlag),
    vault: keys.tokenBVault,
    amountRaw: fees.bRaw,
  };
  return {
    kind: 'position_fee',
    mint,
    pool: poolAddress,
    position,
    nftMint,
    nftAccount,
    claimer: wallet,
    isBaseTokenA,
    base: isBaseTokenA ? a : b,
    quote: isBaseTokenA ? b : a,
    slot,
  };
}

function tokenProgram(flag: number): string {
  return flag === 0 ? SPL_TOKEN : TOKEN_2022;
}
