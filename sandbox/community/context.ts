import type { Keypair } from '@solana/web3.js';
import type { AdminDependencies } from '../../src/admin/admin-dependencies.ts';
import type { Feed } from '../market/feed.ts';
import type { MarketState } from '../market/market-state.ts';
import type { SolanaRpc } from '../shared/solana-rpc.ts';
import type { ApiClient } from './api-client.ts';

/** The dependencies that all tasks of the community share. */
export interface CommunityContext {
  readonly admin: AdminDependencies;
  readonly api: ApiClient;
  readonly feed: Feed;
  readonly rpc: SolanaRpc;
  readonly market: ReturnType<typeof MarketState.read>;
  /** The wallet of the sandbox's user. */
  readonly user: Keypair;
  readonly signal: AbortSignal;
  /** A duration of the demo: the given one divided by the pace. */
  ms(milliseconds: number): number;
}

/** A periodic task of the demo. */
export interface CommunityTask {
  readonly name: string;
  readonly everyMs: number;
  step(): Promise<void>;
}

export function addressOf({ publicKey }: Keypair): string {
  return publicKey.toBase58();
}
