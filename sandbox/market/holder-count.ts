import type { SolanaRpc } from '../solana-rpc.ts';
import type { Feed } from './feed.ts';
import type { MarketToken } from './market-state.ts';

/** Reports how many accounts hold a token, by the chain. The market has fewer wallets than a node lists. */
export async function reportHolders(token: MarketToken, rpc: SolanaRpc, feed: Feed): Promise<void> {
  const mintAddress = token.mint.publicKey.toBase58();
  const { count, slot } = await rpc.holderCount(mintAddress);
  const observation = {
    mintAddress,
    holderCount: count,
    provenance: 'onchain_snapshot',
    slot: String(slot),
    asOf: new Date().toISOString(),
  };
  await feed.publish('holder_count', observation, `holders:${mintAddress}:${slot}`);
}
