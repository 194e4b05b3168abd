import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMint2Instruction,
  createMintToInstruction,
  createSetAuthorityInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  MINT_SIZE,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  type Keypair,
  type PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';
import { CREATOR_RAW, type Quote, SUPPLY_RAW, TOKEN_DECIMALS } from './curve.ts';
import type { MarketToken } from './market-state.ts';

/** Lamports that make a mint account rent-exempt. */
const MINT_RENT_LAMPORTS = 1_461_600;

export interface SignedTransaction {
  readonly wire: Uint8Array;
}

/** Creates the mint, mints the whole supply to the pool and the creator, and removes the mint authority. */
export function issueTransaction(token: MarketToken, blockhash: string): SignedTransaction {
  const { mint, pool, creator } = token;
  const poolAccount = getAssociatedTokenAddressSync(mint.publicKey, pool.publicKey);
  const creatorAccount = getAssociatedTokenAddressSync(mint.publicKey, creator.publicKey);
  return signed(
    [
      SystemProgram.createAccount({
        fromPubkey: creator.publicKey,
        newAccountPubkey: mint.publicKey,
        lamports: MINT_RENT_LAMPORTS,
        space: MINT_SIZE,
        programId: TOKEN_PROGRAM_ID,
      }),
      createInitializeMint2Instruction(mint.publicKey, TOKEN_DECIMALS, creator.publicKey, null),
      openAccount(creator.publicKey, pool.publicKey, mint.publicKey),
      openAccount(creator.publicKey, creator.publicKey, mint.publicKey),
      createMintToInstruction(mint.publicKey, poolAccount, creator.publicKey, SUPPLY_RAW - CREATOR_RAW),
      createMintToInstruction(mint.publicKey, creatorAccount, creator.publicKey, CREATOR_RAW),
      createSetAuthorityInstruction(mint.publicKey, creator.publicKey, AuthorityType.MintTokens, null),
    ],
    [creator, mint],
    blockhash,
  );
}

/** Tokens of the creator for a wallet, whose token account is opened when it has none. */
export function giftTransaction(
  { mint, creator }: MarketToken,
  recipient: PublicKey,
  amountRaw: bigint,
  blockhash: string,
): SignedTransaction {
  return signed(
    [
      openAccount(creator.publicKey, recipient, mint.publicKey),
      transferTokens(mint.publicKey, creator.publicKey, recipient, amountRaw),
    ],
    [creator],
    blockhash,
  );
}

/** A trade: the transfers of lamports and of tokens in one transaction. */
export function tradeTransaction(
  side: 'buy' | 'sell',
  { mint, pool }: MarketToken,
  trader: Keypair,
  fees: PublicKey,
  quote: Quote,
  blockhash: string,
): SignedTransaction & { readonly tokenInstructionIndex: number } {
  const opening = side === 'buy' ? [openAccount(trader.publicKey, trader.publicKey, mint.publicKey)] : [];
  const [from, to] = side === 'buy' ? [pool, trader] : [trader, pool];
  const payer = side === 'buy' ? trader : pool;
  const payee = side === 'buy' ? pool : trader;
  const netLamports = side === 'buy' ? quote.poolLamports : quote.traderLamports;
  const instructions = [
    ...opening,
    transferTokens(mint.publicKey, from.publicKey, to.publicKey, quote.tokensRaw),
    transferLamports(payer.publicKey, payee.publicKey, netLamports),
    transferLamports(payer.publicKey, fees, quote.feeLamports),
  ];
  return { ...signed(instructions, [trader, pool], blockhash), tokenInstructionIndex: opening.length };
}

function openAccount(payer: PublicKey, owner: PublicKey, mint: PublicKey): TransactionInstruction {
  const account = getAssociatedTokenAddressSync(mint, owner);
  return createAssociatedTokenAccountIdempotentInstruction(payer, account, owner, mint);
}

function transferTokens(mint: PublicKey, from: PublicKey, to: PublicKey, amountRaw: bigint) {
  return createTransferCheckedInstruction(
    getAssociatedTokenAddressSync(mint, from),
    mint,
    getAssociatedTokenAddressSync(mint, to),
    from,
    amountRaw,
    TOKEN_DECIMALS,
  );
}

function transferLamports(fromPubkey: PublicKey, toPubkey: PublicKey, lamports: bigint) {
  return SystemProgram.transfer({ fromPubkey, toPubkey, lamports });
}

/** The first signer pays the fee. */
function signed(
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
  blockhash: string,
): SignedTransaction {
  const transaction = new Transaction().add(...instructions);
  transaction.recentBlockhash = blockhash;
  const payer = signers[0]?.publicKey;
  if (payer !== undefined) transaction.feePayer = payer;
  transaction.sign(...signers);
  return { wire: transaction.serialize() };
}
