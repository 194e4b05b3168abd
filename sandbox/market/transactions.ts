import {
  createAssociatedTokenAccountIdempotentInstruction,
  createSyncNativeInstruction,
  createTransferCheckedInstruction,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  type Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { signTransaction } from '../shared/sign-transaction.ts';
import { TOKEN_DECIMALS } from './amounts.ts';
import { type LaunchAddresses, tokenAccountOf } from './launch-addresses.ts';
import { createPool, migrate, type SwapOrder, swapOnAmm, swapOnCurve } from './pool-instructions.ts';

/** The compiled programs need more than the default limit for a launch or a migration. */
const COMPUTE_UNITS = 800_000;

type TokenAddresses = Pick<LaunchAddresses, 'mint' | 'tokenProgram'>;
const wrappedSol: TokenAddresses = { mint: WRAPPED_SOL_MINT, tokenProgram: SPL_TOKEN };

/** Returns the signed, serialised transaction. The first signer pays the fee. */
export function signed(
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
  blockhash: string,
): Uint8Array {
  const transaction = new Transaction().add(...instructions);
  transaction.recentBlockhash = blockhash;
  const payer = signers[0]?.publicKey;
  if (payer !== undefined) transaction.feePayer = payer;
  return signTransaction(transaction, signers);
}

/** Turns lamports of a wallet into wrapped SOL. */
export function wrapInstructions(owner: string, lamports: bigint): TransactionInstruction[] {
  const fromPubkey = new PublicKey(owner);
  const toPubkey = new PublicKey(tokenAccountOf(owner, WRAPPED_SOL_MINT, SPL_TOKEN));
  return [
    openAccount(owner, owner, wrappedSol),
    SystemProgram.transfer({ fromPubkey, toPubkey, lamports }),
    createSyncNativeInstruction(toPubkey),
  ];
}

/** Creates mint and pool, and buys for the creator, all or nothing. */
export function launchInstructions(
  addresses: LaunchAddresses,
  creator: string,
  texts: { readonly name: string; readonly symbol: string; readonly uri: string },
  lamports: bigint,
): TransactionInstruction[] {
  const buy: SwapOrder = { side: 'buy', mode: 'exact_in', amountRaw: lamports, limitRaw: 1n };
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
    ...wrapInstructions(creator, lamports),
    createPool(addresses, creator, texts),
    openAccount(creator, creator, addresses),
    swapOnCurve(addresses, creator, buy, true),
  ];
}

/** @param opens whether the trader has no account for the token yet */
export function tradeInstructions(
  addresses: LaunchAddresses,
  trader: string,
  order: SwapOrder,
  { opens, isMigrated }: { readonly opens: boolean; readonly isMigrated: boolean },
): TransactionInstruction[] {
  const swap = isMigrated ? swapOnAmm : swapOnCurve;
  return [...(opens ? [openAccount(trader, trader, addresses)] : []), swap(addresses, trader, order)];
}

export function migrationInstructions(
  addresses: LaunchAddresses,
  keeper: string,
  nftMints: readonly [string, string],
): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: COMPUTE_UNITS }),
    migrate(addresses, keeper, nftMints),
  ];
}

/** Adds the opening of a wallet's token accounts to an instruction that pays it in both tokens of a pool. */
export function withAccounts(
  addresses: LaunchAddresses,
  wallet: string,
  ...instructions: readonly TransactionInstruction[]
): TransactionInstruction[] {
  return [openAccount(wallet, wallet, wrappedSol), openAccount(wallet, wallet, addresses), ...instructions];
}

/** Sends tokens to a wallet and opens its token account when it has none. */
export function giftInstructions(
  addresses: LaunchAddresses,
  giver: string,
  recipient: string,
  amountRaw: bigint,
): TransactionInstruction[] {
  const { mint, tokenProgram } = addresses;
  const accountOf = (owner: string) => new PublicKey(tokenAccountOf(owner, mint, tokenProgram));
  return [
    openAccount(giver, recipient, addresses),
    createTransferCheckedInstruction(
      accountOf(giver),
      new PublicKey(mint),
      accountOf(recipient),
      new PublicKey(giver),
      amountRaw,
      TOKEN_DECIMALS,
      [],
      new PublicKey(tokenProgram),
    ),
  ];
}

function openAccount(payer: string, owner: string, { mint, tokenProgram }: TokenAddresses) {
  return createAssociatedTokenAccountIdempotentInstruction(
    new PublicKey(payer),
    new PublicKey(tokenAccountOf(owner, mint, tokenProgram)),
    new PublicKey(owner),
    new PublicKey(mint),
    new PublicKey(tokenProgram),
  );
}
