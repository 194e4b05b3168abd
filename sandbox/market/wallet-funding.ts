import type { Keypair } from '@solana/web3.js';
import { SPL_TOKEN, WRAPPED_SOL_MINT } from '../../src/chain/accounts/programs.ts';
import { readTokenBalance } from '../../src/chain/accounts/token-account.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import { LAMPORTS_PER_SOL } from './amounts.ts';
import type { Sender } from './landing.ts';
import { tokenAccountOf } from './launch-addresses.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import { giftInstructions, withAccounts, wrapInstructions } from './transactions.ts';
import { waitUntil } from './wait-until.ts';

const WALLET_LAMPORTS = 10n * LAMPORTS_PER_SOL;
const TRADER_LAMPORTS = 100n * LAMPORTS_PER_SOL;
/** Swaps are paid from wrapped SOL. */
const TRADER_WRAPPED_LAMPORTS = 100n * LAMPORTS_PER_SOL;
const ENOUGH_TOKENS_RAW = 100_000_000_000n;
const GIFT_RAW = 1_000_000_000_000n;

export interface Funding {
  readonly rpc: SolanaRpc;
  readonly sender: Sender;
  readonly signal: AbortSignal;
}

/** Fills a wallet up when it holds less than half of `lamports`. */
export async function fund(rpc: SolanaRpc, address: string, lamports: bigint): Promise<void> {
  const balance = await rpc.balanceLamports(address);
  if (balance < lamports / 2n) await rpc.airdrop(address, lamports - balance);
}

/** Fills up the traders that run low, in lamports and in wrapped SOL. */
export async function fundTraders(
  traders: readonly Keypair[],
  { rpc, sender, signal }: Funding,
): Promise<void> {
  const wallets = traders.map(({ publicKey }) => publicKey.toBase58());
  const wrapped = wallets.map((wallet) => tokenAccountOf(wallet, WRAPPED_SOL_MINT, SPL_TOKEN));
  const { accounts } = await rpc.accounts([...wallets, ...wrapped]);
  for (const [at, trader] of traders.entries()) {
    const address = trader.publicKey.toBase58();
    const lamports = accounts[at]?.lamports ?? 0n;
    const held = readTokenBalance(accounts[traders.length + at] ?? null, WRAPPED_SOL_MINT) ?? 0n;
    const toWrap = held < TRADER_WRAPPED_LAMPORTS / 2n ? TRADER_WRAPPED_LAMPORTS - held : 0n;
    const needed = TRADER_LAMPORTS / 2n + toWrap;
    if (lamports < needed) {
      await rpc.airdrop(address, TRADER_LAMPORTS + toWrap - lamports);
      await waitUntil(async () => (await rpc.balanceLamports(address)) >= needed, signal);
    }
    if (toWrap > 0n) await sender.send(wrapInstructions(address, toWrap), [trader]);
  }
}

/** Gives the user's wallet SOL and tokens of the creator when it runs low, so that it can sign transfers. A
 * wallet that created the token has bought some at the launch. */
export async function giveTokens(
  address: string,
  token: MarketToken,
  state: MarketState,
  { rpc, sender, signal }: Funding,
): Promise<void> {
  await fund(rpc, address, WALLET_LAMPORTS);
  if (token.creator.publicKey.toBase58() === address) return;
  const addresses = state.addressesOf(token);
  const { mint, tokenProgram } = addresses;
  const account = tokenAccountOf(address, mint, tokenProgram);
  const isEnough = async () => {
    const [held = null] = (await rpc.accounts([account])).accounts;
    return (readTokenBalance(held, mint) ?? 0n) >= ENOUGH_TOKENS_RAW;
  };
  if (await isEnough()) return;
  const { creator } = token;
  await sender.sendChecked(giftInstructions(addresses, creator.publicKey.toBase58(), address, GIFT_RAW), [
    creator,
  ]);
  await waitUntil(isEnough, signal);
}

/** Opens the partner's accounts of a token, so that users can send tokens to somebody. */
export async function openPartnerAccounts(
  token: MarketToken,
  state: MarketState,
  { rpc, sender, signal }: Funding,
): Promise<void> {
  const partner = state.fees.publicKey.toBase58();
  const addresses = state.addressesOf(token);
  const account = tokenAccountOf(partner, addresses.mint, addresses.tokenProgram);
  if (await rpc.accountExists(account)) return;
  await sender.sendChecked(withAccounts(addresses, partner), [state.fees]);
  await waitUntil(() => rpc.accountExists(account), signal);
}
