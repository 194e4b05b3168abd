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
    // The product sees on the chain that a curve has graduated, so feeds do not report it.
    status: isBonding ? 'bonding' : 'graduating_migration_pending',
    launchedAt: token.launchedAt,
    poolAddress: pool,
    // The sandbox announces the launch even when the token was created earlier.
    announce: true,
  };
  await feed.publish('token', message, `token:${mint}:${crypto.randomUUID()}`);
}

/** Reports the tokens that presales sell. They have no mint on the chain yet. */
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
