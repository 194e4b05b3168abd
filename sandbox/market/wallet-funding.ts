import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { SolanaRpc } from '../solana-rpc.ts';
import { LAMPORTS_PER_SOL } from './curve.ts';
import type { MarketToken } from './market-state.ts';
import { giftTransaction } from './transactions.ts';
import { waitUntil } from './wait-until.ts';

const WALLET_LAMPORTS = 10n * LAMPORTS_PER_SOL;
const ENOUGH_TOKENS_RAW = 100_000_000_000n;
const GIFT_RAW = 1_000_000_000_000n;

/** Tops a wallet up to `lamports` when it holds less than half of them. */
export async function fund(rpc: SolanaRpc, address: string, lamports: bigint): Promise<void> {
  const balance = await rpc.balanceLamports(address);
  if (balance < lamports / 2n) await rpc.airdrop(address, lamports - balance);
}

/** Tops the user's wallet up with SOL and with tokens of the creator, so that it can sign the demo transfer. */
export async function fundUser(
  address: string,
  token: MarketToken,
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<void> {
  await fund(rpc, address, WALLET_LAMPORTS);
  const mint = token.mint.publicKey.toBase58();
  const heldRaw = async () => (await rpc.tokenBalances(address, TOKEN_PROGRAM_ID.toBase58())).get(mint) ?? 0n;
  if ((await heldRaw()) >= ENOUGH_TOKENS_RAW) return;
  const { blockhash } = await rpc.latestBlockhash();
  await rpc.send(giftTransaction(token, new PublicKey(address), GIFT_RAW, blockhash).wire);
  await waitUntil(async () => (await heldRaw()) >= ENOUGH_TOKENS_RAW, signal);
}
