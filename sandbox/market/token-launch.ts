import { rawToDecimal } from '../../src/shared/decimal.ts';
import { wait } from '../../src/shared/loop.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import { catalogue, type Listing, upcomingListings } from './catalogue.ts';
import { LAMPORTS_PER_SOL, SUPPLY_RAW, TOKEN_DECIMALS } from './curve.ts';
import type { Feed } from './feed.ts';
import type { BookToken, MarketBook } from './market-state.ts';
import { issueTransaction } from './transactions.ts';

/** Every wallet of the market starts with this; in a pool it stays and is no part of the reserves. */
export const START_LAMPORTS = LAMPORTS_PER_SOL;
const POLL_MS = 100;
const LANDING_DEADLINE_MS = 30_000;

/** Creates on chain what of the token is missing there, and reports it to the product. */
export async function launchToken(
  token: BookToken,
  rpc: SolanaRpc,
  feed: Feed,
  signal: AbortSignal,
): Promise<void> {
  const mint = token.mint.publicKey.toBase58();
  if (!(await rpc.accountExists(mint))) {
    for (const wallet of [token.creator, token.pool])
      await fund(rpc, wallet.publicKey.toBase58(), START_LAMPORTS);
    await untilTrue(async () => (await rpc.balanceLamports(token.creator.publicKey.toBase58())) > 0n, signal);
    const { blockhash } = await rpc.latestBlockhash();
    await rpc.send(issueTransaction(token, blockhash).wire);
    await untilTrue(() => rpc.accountExists(mint), signal);
  }
  await reportToken(token, feed);
}

/** Tells the product how the token stands; the same report twice changes nothing. */
export async function reportToken(token: BookToken, feed: Feed): Promise<void> {
  const listing = catalogue[token.listing];
  if (listing === undefined) throw new Error(`the catalogue has no listing ${token.listing}`);
  const mintAddress = token.mint.publicKey.toBase58();
  const message = {
    mintAddress,
    creatorWallet: token.creator.publicKey.toBase58(),
    ...describe(listing),
    launchType: 'dbc',
    status: token.isGraduated ? 'graduated' : 'bonding',
    launchedAt: token.launchedAt,
  };
  await feed.publish('token', message, `token:${mintAddress}:${message.status}:${crypto.randomUUID()}`);
}

/** Tells the product of the tokens that presales sell: they have no mint on chain yet. */
export async function reportUpcoming(book: MarketBook, feed: Feed): Promise<void> {
  for (const [at, listing] of upcomingListings.entries()) {
    const mintAddress = book.upcoming[at]?.publicKey.toBase58();
    if (mintAddress === undefined) continue;
    const message = {
      mintAddress,
      creatorWallet: book.presaleVault.publicKey.toBase58(),
      ...describe(listing),
      launchType: 'pre_raise',
      status: 'pre_raising',
    };
    await feed.publish('token', message, `token:${mintAddress}:${message.status}:${crypto.randomUUID()}`);
  }
}

function describe(listing: Listing) {
  return {
    ...listing,
    imageUrl: `https://example.com/images/${listing.symbol.toLowerCase()}.png`,
    decimals: TOKEN_DECIMALS,
    totalSupply: rawToDecimal(SUPPLY_RAW, TOKEN_DECIMALS),
  };
}

/** Launches the next listings of the catalogue, up to `count` tokens in the book. */
export function addListings(book: MarketBook, count: number): BookToken[] {
  const added: BookToken[] = [];
  while (book.tokens.length < Math.min(count, catalogue.length)) added.push(book.add(book.tokens.length));
  return added;
}

/** Fills a wallet up when it holds less than half of `lamports`. */
export async function fund(rpc: SolanaRpc, address: string, lamports: bigint): Promise<void> {
  const balance = await rpc.balanceLamports(address);
  if (balance < lamports / 2n) await rpc.airdrop(address, lamports - balance);
}

/** Waits for something to be so on chain. Throws after half a minute: what was sent has not landed. */
export async function untilTrue(isSo: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + LANDING_DEADLINE_MS;
  while (!(await isSo())) {
    signal.throwIfAborted();
    if (performance.now() > deadline) throw new Error('a transaction of the market did not land');
    await wait(POLL_MS, signal);
  }
}
