import { createNftSources } from '../chain/holdings/wallet-nfts.ts';
import { WalletClaims } from '../features/fees/claimable/wallet-claims.ts';
import type { AdminDependencies } from './admin-dependencies.ts';
import { CommandRefused } from './command.ts';

/** Returns a reader of what wallets can claim. Throws CommandRefused if no node is configured. */
export function claimsReader({ config, database, clock, rpcs }: AdminDependencies): WalletClaims {
  if (rpcs.length === 0)
    throw new CommandRefused('SOLANA_RPC_URL is missing: what can be claimed is read from the chain');
  return new WalletClaims({ database, clock, rpcs, nftSources: createNftSources(config.solanaNodes ?? []) });
}
