import { type AccountMeta, PublicKey, TransactionInstruction } from '@solana/web3.js';
import {
  BONDING_CURVE,
  DAMM_V2,
  INSTRUCTIONS_SYSVAR,
  SPL_TOKEN,
  SYSTEM_PROGRAM,
  TOKEN_2022,
  TOKEN_METADATA,
  WRAPPED_SOL_MINT,
} from '../../src/chain/accounts/programs.ts';
import { sighash } from '../chain/programs/anchor/anchor-program.ts';
import { BorshWriter } from '../chain/programs/anchor/borsh.ts';
import { derivedAddress } from '../chain/programs/derived-address.ts';
import { configArguments } from './curve-config.ts';
import type { CurvePlan } from './curve-kinds.ts';
import {
  type LaunchAddresses,
  metadataAddress,
  migrationMetadataAddress,
  positionAddresses,
  tokenAccountOf,
} from './launch-addresses.ts';

const swapModes = { exact_in: 0, partial_fill: 1 } as const;

/** A swap in either pool. */
export interface SwapOrder {
  readonly side: 'buy' | 'sell';
  readonly mode: keyof typeof swapModes;
  readonly amountRaw: bigint;
  /** The swap fails below this amount out. */
  readonly limitRaw: bigint;
}

export function createConfig(
  plan: CurvePlan,
  { config, partner }: { readonly config: string; readonly partner: string },
): TransactionInstruction {
  const accounts = [
    payer(config),
    readonly(partner),
    readonly(partner),
    readonly(WRAPPED_SOL_MINT),
    payer(partner),
    readonly(SYSTEM_PROGRAM),
  ];
  return call(BONDING_CURVE, 'create_config', accounts, configArguments(plan));
}

/** Creates the pool and the mint, with the whole supply in the pool. Works for both token programs. */
export function createPool(
  addresses: LaunchAddresses,
  creator: string,
  texts: { readonly name: string; readonly symbol: string; readonly uri: string },
): TransactionInstruction {
  const { mint, tokenProgram, config, pool, baseVault, quoteVault } = addresses;
  const isToken2022 = tokenProgram === TOKEN_2022;
  const metadata = isToken2022 ? [] : [writable(metadataAddress(mint)), readonly(TOKEN_METADATA)];
  const accounts = [
    readonly(config),
    readonly(authorityOf(BONDING_CURVE)),
    signer(creator),
    payer(mint),
    readonly(WRAPPED_SOL_MINT),
    writable(pool),
    writable(baseVault),
    writable(quoteVault),
    ...metadata,
    payer(creator),
    readonly(SPL_TOKEN),
    readonly(tokenProgram),
    readonly(SYSTEM_PROGRAM),
  ];
  const name = `initialize_virtual_pool_with_${isToken2022 ? 'token2022' : 'spl_token'}`;
  const args = new BorshWriter().string(texts.name).string(texts.symbol).string(texts.uri).finish();
  return call(BONDING_CURVE, name, accounts, args);
}

/** @param isFirstAtLaunch in the creating transaction: the program sees it in the instructions sysvar */
export function swapOnCurve(
  { mint, tokenProgram, config, pool, baseVault, quoteVault }: LaunchAddresses,
  trader: string,
  order: SwapOrder,
  isFirstAtLaunch = false,
): TransactionInstruction {
  const accounts = [
    readonly(authorityOf(BONDING_CURVE)),
    readonly(config),
    writable(pool),
    ...traderAccounts(mint, tokenProgram, trader, order),
    writable(baseVault),
    writable(quoteVault),
    ...sides(mint, trader, tokenProgram),
    readonly(BONDING_CURVE),
  ];
  const swap = call(BONDING_CURVE, 'swap2', accounts, swapArguments(order));
  if (isFirstAtLaunch) swap.keys.push(readonly(INSTRUCTIONS_SYSVAR));
  return swap;
}

/** In the pool of a migrated curve the base token is A and SOL is B. */
export function swapOnAmm(
  { mint, tokenProgram, amm }: LaunchAddresses,
  trader: string,
  order: SwapOrder,
): TransactionInstruction {
  const accounts = [
    readonly(authorityOf(DAMM_V2)),
    writable(amm.pool),
    ...traderAccounts(mint, tokenProgram, trader, order),
    writable(amm.baseVault),
    writable(amm.quoteVault),
    ...sides(mint, trader, tokenProgram),
    readonly(DAMM_V2),
  ];
  return call(DAMM_V2, 'swap2', accounts, swapArguments(order));
}

/** Opens the AMM pool of a completed curve. */
export function migrate(
  { mint, tokenProgram, config, pool, baseVault, quoteVault, amm }: LaunchAddresses,
  keeper: string,
  nftMints: readonly [string, string],
): TransactionInstruction {
  const positions = nftMints.flatMap((nftMint) => {
    const { position, nftAccount } = positionAddresses(nftMint);
    return [payer(nftMint), writable(nftAccount), writable(position)];
  });
  const accounts = [
    writable(pool),
    readonly(migrationMetadataAddress(pool)),
    readonly(config),
    writable(authorityOf(BONDING_CURVE)),
    writable(amm.pool),
    ...positions,
    readonly(authorityOf(DAMM_V2)),
    readonly(DAMM_V2),
    writable(mint),
    writable(WRAPPED_SOL_MINT),
    writable(amm.baseVault),
    writable(amm.quoteVault),
    writable(baseVault),
    writable(quoteVault),
    payer(keeper),
    readonly(tokenProgram),
    readonly(SPL_TOKEN),
    readonly(TOKEN_2022),
    readonly(eventAuthorityOf(DAMM_V2)),
    readonly(SYSTEM_PROGRAM),
    readonly(amm.config),
  ];
  return instruction(BONDING_CURVE, 'migration_damm_v2', accounts, new Uint8Array(0));
}

/** The trader's accounts for the input and the output. */
function traderAccounts(
  mint: string,
  tokenProgram: string,
  trader: string,
  { side }: SwapOrder,
): AccountMeta[] {
  const base = writable(tokenAccountOf(trader, mint, tokenProgram));
  const quote = writable(tokenAccountOf(trader, WRAPPED_SOL_MINT, SPL_TOKEN));
  return side === 'buy' ? [quote, base] : [base, quote];
}

function sides(mint: string, trader: string, tokenProgram: string): AccountMeta[] {
  const mints = [readonly(mint), readonly(WRAPPED_SOL_MINT)];
  return [...mints, signer(trader), readonly(tokenProgram), readonly(SPL_TOKEN)];
}

function swapArguments({ mode, amountRaw, limitRaw }: SwapOrder): Uint8Array {
  return new BorshWriter().u64(amountRaw, limitRaw).u8(swapModes[mode]).finish();
}

/** An instruction of a program that emits events, for which it needs the last two accounts. */
export function call(program: string, name: string, accounts: readonly AccountMeta[], args: Uint8Array) {
  const forEvents = [readonly(eventAuthorityOf(program)), readonly(program)];
  return instruction(program, name, [...accounts, ...forEvents], args);
}

function instruction(program: string, name: string, keys: AccountMeta[], args: Uint8Array) {
  const data = Buffer.concat([sighash('global', name), args]);
  return new TransactionInstruction({ programId: new PublicKey(program), keys, data });
}

export function authorityOf(program: string): string {
  return derivedAddress(program, 'pool_authority').address;
}

function eventAuthorityOf(program: string): string {
  return derivedAddress(program, '__event_authority').address;
}

export function readonly(address: string): AccountMeta {
  return { pubkey: new PublicKey(address), isSigner: false, isWritable: false };
}

export function writable(address: string): AccountMeta {
  return { ...readonly(address), isWritable: true };
}

export function signer(address: string): AccountMeta {
  return { ...readonly(address), isSigner: true };
}

function payer(address: string): AccountMeta {
  return { ...readonly(address), isSigner: true, isWritable: true };
}
