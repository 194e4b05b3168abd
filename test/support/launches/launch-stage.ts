import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { type ChainOptions, type SandboxChain, startChain } from '../../../sandbox/chain/server.ts';
import { curvePlans } from '../../../sandbox/market/curve-kinds.ts';
import { createConfig } from '../../../sandbox/market/pool-instructions.ts';
import { signed } from '../../../sandbox/market/transactions.ts';
import { SolanaRpc } from '../../../sandbox/shared/solana-rpc.ts';
import { atEnd } from '../run/cleanup.ts';
import { eventually } from '../run/eventually.ts';

const SOL = 1_000_000_000n;

export type CurveKind = keyof typeof curvePlans;

/** A chain with one curve config, for launches through the api. The service ignores slots faster than a
 * cluster's. */
export interface LaunchStage {
  chain: SandboxChain;
  rpc: SolanaRpc;
  /** Address of the config. */
  config: string;
  /** Creates one more config and returns its address. */
  createConfig(kind: CurveKind): Promise<string>;
  fundedWallet(lamports?: bigint): Promise<Keypair>;
}

export async function startLaunchStage(
  options: ChainOptions = { slotMs: 300 },
  kind: CurveKind = 'steady',
): Promise<LaunchStage> {
  const chain = await startChain(options);
  atEnd(() => chain.stop());
  const rpc = new SolanaRpc(chain.rpcUrl);
  const move = () => (options.slotMs === 'manual' ? chain.advanceSlots(1) : undefined);
  const fundedWallet = async (lamports = 100n * SOL) => {
    const wallet = Keypair.generate();
    await rpc.airdrop(wallet.publicKey.toBase58(), lamports);
    move();
    await eventually('the wallet has SOL', async () => {
      return (await rpc.balanceLamports(wallet.publicKey.toBase58())) > 0n;
    });
    return wallet;
  };
  const partner = await fundedWallet();
  const create = async (wanted: CurveKind) => {
    const config = Keypair.generate();
    const addresses = { config: config.publicKey.toBase58(), partner: partner.publicKey.toBase58() };
    const { blockhash } = await rpc.latestBlockhash();
    await rpc.sendChecked(
      signed([createConfig(curvePlans[wanted], addresses)], [partner, config], blockhash),
    );
    move();
    await eventually('the config exists', () => rpc.accountExists(addresses.config));
    return addresses.config;
  };
  return { chain, rpc, config: await create(kind), createConfig: create, fundedWallet };
}

/** Signs the transaction of an intent like a wallet and changes nothing but the wallet's signature. */
export function signIntent(serializedTransaction: string, wallet: Keypair): string {
  const transaction = VersionedTransaction.deserialize(Buffer.from(serializedTransaction, 'base64'));
  transaction.sign([wallet]);
  return Buffer.from(transaction.serialize()).toString('base64');
}
