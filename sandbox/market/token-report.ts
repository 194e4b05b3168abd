import { migrationProgress, readVirtualPool } from '../../src/chain/accounts/virtual-pool.ts';
import { rawToDecimal } from '../../src/shared/decimal.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import { SUPPLY_RAW, TOKEN_DECIMALS } from './amounts.ts';
import { type Listing, upcomingListings } from './catalogue.ts';
import type { Feed } from './feed.ts';
import { listingOf, type MarketState, type MarketToken } from './market-state.ts';

/** Makes a token and its pool known to the product, which finds everything else on the chain; the same report twice
 * changes nothing. */
export async function reportToken(
  token: MarketToken,
  state: MarketState,
  rpc: SolanaRpc,
  feed: Feed,
): Promise<void> {
  const { mint, pool } = state.addressesOf(token);
  const { curve: _curve, ...listing } = listingOf(token);
  const [account = null] = (await rpc.accounts([pool])).accounts;
  const isBonding = readVirtualPool(account)?.migrationProgress === migrationProgress.bonding;
  const message = {
    mintAddress: mint,
    creatorWallet: token.creator.publicKey.toBase58(),
    ...describe(listing),
    launchType: 'dbc',
    // That a curve has graduated is seen on the chain, and not told.
    status: isBonding ? 'bonding' : 'graduating_migration_pending',
    launchedAt: token.launchedAt,
    poolAddress: pool,
    // Its launch is news here, also after it was created.
    announce: true,
  };
  await feed.publish('token', message, `token:${mint}:${crypto.randomUUID()}`);
}

/** Tells the product of the tokens that presales sell: they have no mint on chain yet. */
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
    await feed.publish('token', message, `token:${mintAddress}:${crypto.randomUUID()}`);
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
