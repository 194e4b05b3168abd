import { Keypair } from '@solana/web3.js';
import { startChain } from '../../sandbox/chain/server.ts';
import { parseTransaction } from '../../sandbox/chain/wire-transaction.ts';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { launchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { createConfig } from '../../sandbox/market/pool-instructions.ts';
import { launchInstructions, signed } from '../../sandbox/market/transactions.ts';
import { SYSTEM_PROGRAM } from '../../src/chain/accounts/programs.ts';

/** The facts of the chain that a case needs. */
export interface ChainFacts {
  rpcUrl: string;
  mint: string;
  pool: string;
  config: string;
  /** Has SOL for every swap of a run. */
  wallet: string;
  /** The secret key of the wallet in base64; it exists on this chain alone. */
  walletKey: string;
}

/** Blocks of a window that lasts for a run. */
const BLOCKHASH_WINDOW = 9_000;
const LAMPORTS = 1_000_000_000_000_000n;

/** The sandbox chain in a process of its own, at a cluster's pace, with one token on its bonding curve. */
const chain = await startChain({ blockhashWindow: BLOCKHASH_WINDOW });
const { ledger } = chain;
const [operator, creator, config, mint, wallet] = [1, 2, 3, 4, 5].map(() => Keypair.generate());
if (!operator || !creator || !config || !mint || !wallet) throw new Error('a key is missing');
for (const { publicKey } of [operator, creator, wallet]) {
  const account = { lamports: LAMPORTS, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
  ledger.setAccount(publicKey.toBase58(), { ...account, executable: false, rentEpoch: 0n });
}
const plan = curvePlans.steady;
const addresses = launchAddresses(mint.publicKey.toBase58(), config.publicKey.toBase58(), plan);
const partner = operator.publicKey.toBase58();
land([createConfig(plan, { config: addresses.config, partner })], [operator, config]);
const texts = { name: 'A token', symbol: 'TOK', uri: 'https://example.org/token.json' };
const launch = launchInstructions(addresses, creator.publicKey.toBase58(), texts, 1_000_000_000n);
land(launch, [creator, mint]);

function land(...[instructions, signers]: [Parameters<typeof signed>[0], Keypair[]]): void {
  const { err } = ledger.land(
    parseTransaction(signed(instructions, signers, ledger.ring.hashOf(ledger.slot))),
  );
  if (err !== null) throw new Error(`the launch failed: ${JSON.stringify(err)}`);
}

const facts: ChainFacts = {
  rpcUrl: chain.rpcUrl,
  mint: addresses.mint,
  pool: addresses.pool,
  config: addresses.config,
  wallet: wallet.publicKey.toBase58(),
  walletKey: Buffer.from(wallet.secretKey).toString('base64'),
};
Bun.serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  routes: { '/healthz': () => new Response('ok'), '/facts': () => Response.json(facts) },
});
process.on('SIGTERM', () => void chain.stop().then(() => process.exit(0)));
