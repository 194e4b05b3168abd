import type { AccountMeta, TransactionInstruction } from '@solana/web3.js';
import { BONDING_CURVE, DAMM_V2, SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { U64_MAX } from '../../src/chain/pools/fixed-point.ts';
import { BorshWriter } from '../chain/programs/anchor/borsh.ts';
import { type LaunchAddresses, tokenAccountOf } from './launch-addresses.ts';
import { authorityOf, call, readonly, signer, writable } from './pool-instructions.ts';

/** The arguments that claim everything in both tokens. */
const everything = () => new BorshWriter().u64(U64_MAX, U64_MAX).finish();

/** Claims the creator's share of the curve's fees. */
export function claimCreatorFee(addresses: LaunchAddresses, creator: string): TransactionInstruction {
  const accounts = [
    readonly(authorityOf(BONDING_CURVE)),
    writable(addresses.pool),
    ...claimAccounts(addresses, addresses, creator),
  ];
  return call(BONDING_CURVE, 'claim_creator_trading_fee', accounts, everything());
}

/** Claims the platform's share of the curve's fees. */
export function claimPartnerFee(addresses: LaunchAddresses, partner: string): TransactionInstruction {
  const accounts = [
    readonly(authorityOf(BONDING_CURVE)),
    readonly(addresses.config),
    writable(addresses.pool),
    ...claimAccounts(addresses, addresses, partner),
  ];
  return call(BONDING_CURVE, 'claim_trading_fee', accounts, everything());
}

/** Claims the fees of a position in the AMM pool. */
export function claimPositionFee(
  addresses: LaunchAddresses,
  owner: string,
  { position, nftAccount }: { readonly position: string; readonly nftAccount: string },
): TransactionInstruction {
  const { amm } = addresses;
  const [tokenA, tokenB, vaultA, vaultB, mintA, mintB, wallet, ...programs] = claimAccounts(
    addresses,
    amm,
    owner,
  );
  const accounts = [
    readonly(authorityOf(DAMM_V2)),
    readonly(amm.pool),
    writable(position),
    tokenA,
    tokenB,
    vaultA,
    vaultB,
    mintA,
    mintB,
    readonly(nftAccount),
    wallet,
    ...programs,
  ].filter((account) => account !== undefined);
  return call(DAMM_V2, 'claim_position_fee', accounts, new Uint8Array(0));
}

/** The accounts of a claim: where it is paid from and to, and who claims. */
function claimAccounts(
  { mint, tokenProgram }: LaunchAddresses,
  { baseVault, quoteVault }: { readonly baseVault: string; readonly quoteVault: string },
  wallet: string,
): AccountMeta[] {
  return [
    writable(tokenAccountOf(wallet, mint, tokenProgram)),
    writable(tokenAccountOf(wallet, WRAPPED_SOL_MINT, SPL_TOKEN)),
    writable(baseVault),
    writable(quoteVault),
    readonly(mint),
    readonly(WRAPPED_SOL_MINT),
    signer(wallet),
    readonly(tokenProgram),
    readonly(SPL_TOKEN),
  ];
}
