import { SPL_TOKEN, TOKEN_2022, WRAPPED_SOL_MINT } from '../../../src/chain/accounts/programs.ts';
import { type Claim, type ClaimKind, claimKinds } from '../../../src/chain/pools/claims/claim.ts';
import { addressOf } from '../pools/program-idl.ts';

export const CLAIMER = addressOf('claimer');

/** A claim of a token by its number. Accounts follow from it. */
export function claimCase(
  token: number,
  kind: ClaimKind,
  { quoteRaw = 1_000n, baseRaw = 0n }: { quoteRaw?: bigint; baseRaw?: bigint } = {},
): Claim {
  const venue = kind === 'position_fee' ? 'amm' : 'curve';
  const name = (role: string) => addressOf(`${role} ${venue} ${token}`);
  const facts = {
    mint: addressOf(`mint ${token}`),
    pool: name('pool'),
    claimer: CLAIMER,
    base: {
      mint: addressOf(`mint ${token}`),
      tokenProgram: token % 2 === 0 ? SPL_TOKEN : TOKEN_2022,
      vault: name('base vault'),
      amountRaw: kind === 'leftover' ? 5n : baseRaw,
    },
    quote: {
      mint: WRAPPED_SOL_MINT,
      tokenProgram: SPL_TOKEN,
      vault: name('quote vault'),
      amountRaw: kind === 'leftover' ? 0n : quoteRaw,
    },
    slot: 7n,
  };
  if (kind !== 'position_fee')
    return { ...facts, kind, config: addressOf(`config ${token % 3}`), hasTransferHook: false };
  return {
    ...facts,
    kind,
    position: name('position'),
    nftMint: name('nft mint'),
    nftAccount: name('nft account'),
    isBaseTokenA: true,
  };
}

/** Every kind of claim of a token. */
export function allKinds(token: number): Claim[] {
  return claimKinds.map((kind) => claimCase(token, kind));
}
