// The demo market of a sandbox, a process of its own:
//   NATS_URL=… SOLANA_RPC_URL=… bun sandbox/market/main.ts --file <market.json> [--sandbox <folder>]
// Prints one JSON line when its tokens exist: {"ready":true,"mint":…,"decimals":…,"recipient":…}.
import { parseArgs } from 'node:util';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { connectBus } from '../../src/shared/bus/connect.ts';
import { createLogger } from '../../src/shared/log.ts';
import { onStopSignal, untilReachable } from '../../src/shared/process.ts';
import { openIdentity } from '../demo/identity.ts';
import { runToExit } from '../shared/run-to-exit.ts';
import { sandboxFolder } from '../shared/sandbox-folder.ts';
import { SolanaRpc } from '../shared/solana-rpc.ts';
import { TOKEN_DECIMALS } from './amounts.ts';
import { Feed } from './feed.ts';
import { Market } from './market.ts';
import { MarketState } from './market-state.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { file: { type: 'string' }, sandbox: { type: 'string' } },
  });
  const { NATS_URL, SOLANA_RPC_URL, LOG_LEVEL } = process.env;
  if (values.file === undefined || !NATS_URL || !SOLANA_RPC_URL) {
    throw new Error('--file, NATS_URL and SOLANA_RPC_URL are needed');
  }
  const log = createLogger('market', LOG_LEVEL || 'info');
  const signal = onStopSignal();
  const waiting = { log, signal };
  const rpc = new SolanaRpc(SOLANA_RPC_URL.split(',')[0] ?? '');
  const connection = await untilReachable('nats', () => connectBus(NATS_URL, 'market'), waiting);
  const genesisHash = await untilReachable('chain', () => rpc.genesisHash(), waiting);
  const user = values.sandbox === undefined ? undefined : userOf(values.sandbox);
  const market = new Market({
    state: MarketState.open(values.file, genesisHash),
    rpc,
    feed: new Feed(connection, log, signal),
    log,
    signal,
    giftTo: user?.publicKey.toBase58(),
    creator: user,
  });
  const historyToCome = await market.open();
  const { mint } = market.firstToken;
  const facts = {
    mint: mint.publicKey.toBase58(),
    decimals: TOKEN_DECIMALS,
    recipient: market.partner,
  };
  console.log(JSON.stringify({ ready: true, ...facts }));
  await market.run(historyToCome);
  await connection.close();
}

/** The wallet of the sandbox's user: it creates the first token, and is kept supplied. */
function userOf(folder: string): Keypair {
  const { wallet } = openIdentity(sandboxFolder(folder).identityFile);
  return Keypair.fromSecretKey(bs58.decode(wallet.secretKey));
}

await runToExit(main);
