import { TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type { SolanaRpc } from '../solana-rpc.ts';
import { LAMPORTS_PER_SOL } from './curve.ts';
import type { BookToken } from './market-state.ts';
import { fund, untilTrue } from './token-launch.ts';
import { giftTransaction } from './transactions.ts';

const WALLET_LAMPORTS = 10n * LAMPORTS_PER_SOL;
const ENOUGH_TOKENS_RAW = 100_000_000_000n;
const GIFT_RAW = 1_000_000_000_000n;

/** Gives the user's wallet sandbox SOL and tokens of the creator when it runs low, so that it has something to
 * sign for. */
export async function endow(
  address: string,
  token: BookToken,
  rpc: SolanaRpc,
  signal: AbortSignal,
): Promise<void> {
  await fund(rpc, address, WALLET_LAMPORTS);
  const mint = token.mint.publicKey.toBase58();
  const heldRaw = async () => (await rpc.tokenBalances(address, TOKEN_PROGRAM_ID.toBase58())).get(mint) ?? 0n;
  if ((await heldRaw()) >= ENOUGH_TOKENS_RAW) return;
  const { blockhash } = await rpc.latestBlockhash();
  await rpc.send(giftTransaction(token, new PublicKey(address), GIFT_RAW, blockhash).wire);
  await untilTrue(async () => (await heldRaw()) >= ENOUGH_TOKENS_RAW, signal);
}
