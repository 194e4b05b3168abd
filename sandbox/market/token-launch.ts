import { rawToDecimal } from '../../src/shared/decimal.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import { catalogue, type Listing, upcomingListings } from './catalogue.ts';
import { LAMPORTS_PER_SOL, SUPPLY_RAW, TOKEN_DECIMALS } from './curve.ts';
import type { Feed } from './feed.ts';
import type { MarketState, MarketToken } from './market-state.ts';
import { issueTransaction } from './transactions.ts';
import { waitUntil } from './wait-until.ts';
import { fund } from './wallet-funding.ts';

/** Initial balance of every wallet of the market. In a pool it is not part of the reserves. */
export const START_LAMPORTS = LAMPORTS_PER_SOL;

/** Creates the token on chain unless it exists, and reports it to the product. */
export async function launchToken(
  token: MarketToken,
  rpc: SolanaRpc,
  feed: Feed,
  signal: AbortSignal,
): Promise<void> {
  const mint = token.mint.publicKey.toBase58();
  if (!(await rpc.accountExists(mint))) {
    for (const wallet of [token.creator, token.pool])
      await fund(rpc, wallet.publicKey.toBase58(), START_LAMPORTS);
    await waitUntil(async () => (await rpc.balanceLamports(token.creator.publicKey.toBase58())) > 0n, signal);
    const { blockhash } = await rpc.latestBlockhash();
    await rpc.send(issueTransaction(token, blockhash).wire);
    await waitUntil(() => rpc.accountExists(mint), signal);
  }
  await reportToken(token, feed);
}

/** Reports the state of the token to the product. Repeating a report changes nothing. */
export async function reportToken(token: MarketToken, feed: Feed): Promise<void> {
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

/** Reports the tokens that presales sell: they have no mint on chain yet. */
export async function reportUpcoming(state: MarketState, feed: Feed): Promise<void> {
  for (const [at, listing] of upcomingListings.entries()) {
    const mintAddress = state.upcoming[at]?.publicKey.toBase58();
    if (mintAddress === undefined) continue;
    const message = {
      mintAddress,
      creatorWallet: state.presaleVault.publicKey.toBase58(),
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
export function addListings(state: MarketState, count: number): MarketToken[] {
  const added: MarketToken[] = [];
  while (state.tokens.length < Math.min(count, catalogue.length)) added.push(state.add(state.tokens.length));
  return added;
}
