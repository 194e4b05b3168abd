import type { Keypair } from '@solana/web3.js';
import { curvePlans } from '../../sandbox/market/curve-kinds.ts';
import { launchAddresses } from '../../sandbox/market/launch-addresses.ts';
import { signed, tradeInstructions, wrapInstructions } from '../../sandbox/market/transactions.ts';
import { SolanaRpc } from '../../sandbox/shared/solana-rpc.ts';
import { readCurveConfig } from '../../src/chain/pools/curve/config-account.ts';
import { quoteCurveSwap } from '../../src/chain/pools/curve/curve-swap.ts';
import { curveTerms } from '../../src/chain/pools/curve/curve-terms.ts';
import { readCurvePool } from '../../src/chain/pools/curve/pool-account.ts';
import { encodeBase58 } from '../../src/shared/base58.ts';
import type { Journey } from './journey.ts';
import { subscribeToLandings } from './landings.ts';

export interface BareTraderOptions {
  rpcUrl: string;
  mint: string;
  config: string;
  wallet: Keypair;
  amountRaw: bigint;
}

interface AccountsReply {
  context: { slot: number };
  value: ({ data: [string, string]; owner: string } | null)[];
}

/**
 * The least that trades without a product: reads pool and blockhash at the same time, quotes, builds, signs, subscribes
 * to the signature and sends, to one node. It simulates nothing, stores nothing and sends once.
 */
export async function createBareTrader({ rpcUrl, mint, config, wallet, amountRaw }: BareTraderOptions) {
  const rpc = new SolanaRpc(rpcUrl);
  const addresses = launchAddresses(mint, config, curvePlans.steady);
  const trader = wallet.publicKey.toBase58();
  const read = async (address: string) => {
    const options = { commitment: 'confirmed', encoding: 'base64' };
    const { context, value } = await rpc.call<AccountsReply>('getMultipleAccounts', [[address], options]);
    const [account] = value;
    if (account == null) throw new Error(`${address} does not exist`);
    const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
    return { slot: BigInt(context.slot), account: { owner: account.owner, data } };
  };
  const decodedConfig = readCurveConfig((await read(config)).account);
  if (decodedConfig === null) throw new Error('the config cannot be read');
  const terms = curveTerms(decodedConfig);
  const landings = await subscribeToLandings(rpcUrl);
  let trades = 0n;

  /**
   * Signed bytes of a swap at the state of the pool. No two have the same amount, so no two are the same transaction.
   */
  async function build(): Promise<Uint8Array> {
    const [{ slot, account }, { blockhash }] = await Promise.all([
      read(addresses.pool),
      rpc.latestBlockhash(),
    ]);
    const pool = readCurvePool(account);
    if (pool === null) throw new Error('the pool cannot be read');
    trades += 1n;
    const order = { side: 'buy', mode: 'exact_in', amountRaw: amountRaw + trades } as const;
    const clock = { slot, unixSeconds: BigInt(Math.floor(Date.now() / 1_000)) };
    const plain = {
      limitRaw: null,
      hasReferral: false,
      provesSingleSwap: false,
      isFirstSwapAtLaunch: false,
    } as const;
    const swap = quoteCurveSwap(terms, pool, clock, { ...order, ...plain });
    if (swap.outcome !== 'swapped') throw new Error(`the pool refuses: ${swap.outcome}`);
    const limitRaw = (swap.outRaw * 90n) / 100n;
    const opening = { opens: true, isMigrated: false };
    const instructions = tradeInstructions(addresses, trader, { ...order, limitRaw }, opening);
    return signed([...wrapInstructions(trader, order.amountRaw), ...instructions], [wallet], blockhash);
  }

  return {
    async trade(journey: Journey): Promise<void> {
      const bytes = await journey.request(build);
      const landed = landings.of(encodeBase58(bytes.subarray(1, 65)));
      const options = { encoding: 'base64', skipPreflight: true, maxRetries: 0 };
      const wire = Buffer.from(bytes).toString('base64');
      await journey.request(() => rpc.call('sendTransaction', [wire, options]));
      await journey.message(landed);
    },
    close: () => landings.close(),
  };
}
