import type { Keypair } from '@solana/web3.js';
import type { AdminDependencies } from '../../src/admin/admin-dependencies.ts';
import type { Feed } from '../market/feed.ts';
import type { MarketBook } from '../market/market-state.ts';
import type { SolanaRpc } from '../solana-rpc.ts';
import type { Product } from './api-client.ts';

/** What everybody in the community works with. */
export interface CommunityContext {
  readonly admin: AdminDependencies;
  readonly product: Product;
  readonly feed: Feed;
  readonly rpc: SolanaRpc;
  readonly book: ReturnType<typeof MarketBook.read>;
  /** The wallet of the sandbox's user. */
  readonly user: Keypair;
  readonly signal: AbortSignal;
  /** Milliseconds of the demo: those given, divided by the pace. */
  ms(milliseconds: number): number;
}

/** Something that is looked after: a step now and then. */
export interface Keeper {
  readonly name: string;
  readonly everyMs: number;
  step(): Promise<void>;
}

export function addressOf({ publicKey }: Keypair): string {
  return publicKey.toBase58();
}
