import { argumentOf, type Command, type Invocation, numberOf } from '../command.ts';
import { take } from '../take.ts';

const wallet = {
  name: 'wallet',
  help: 'address of the wallet. Default: the wallet of the key',
  required: false,
};
const mint = { name: 'mint', help: 'mint address of the token', required: true };
const limit = { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' } as const;

async function addressOf({ client, signal, arguments: given }: Invocation): Promise<string> {
  return given.wallet ?? (await client().getApiIdentity({}, { signal })).walletAddress;
}

/** `wallet …`: what a wallet has traded. `top …`: who holds and trades a token. */
export const walletCommands: readonly Command[] = [
  {
    name: 'wallet trades',
    summary: 'List the trades of a wallet in all tokens, newest first; needs no key where a wallet is given',
    arguments: [wallet],
    options: { limit },
    examples: ['launchwire wallet trades 9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin --limit 5'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const trades = client().listWalletTrades.all({ address: await addressOf(invocation) }, { signal });
      output.table(await take(trades, numberOf(invocation, 'limit', 1, 1_000) ?? 20), [
        ...['blockTime', 'mintAddress', 'type', 'solAmount', 'tokenAmount', 'pricePerTokenInSol'],
        ...['transactionSignature'],
      ]);
    },
  },
  {
    name: 'wallet positions',
    summary:
      'List what a wallet has bought and sold, with cost and result; needs no key where a wallet is given',
    arguments: [wallet],
    options: { limit },
    examples: [
      'launchwire wallet positions',
      'launchwire wallet positions 9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
    ],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const positions = client().listWalletPositions.all(
        { address: await addressOf(invocation) },
        { signal },
      );
      output.table(await take(positions, numberOf(invocation, 'limit', 1, 1_000) ?? 20), [
        ...['mintAddress', 'symbol', 'boughtInSol', 'soldInSol', 'heldInToken', 'averageCostInSol'],
        ...['realisedInSol', 'unrealisedInSol', 'lastTradeAt'],
      ]);
    },
  },
  {
    name: 'top holders',
    summary: 'List the 100 largest holders of a token; needs no key',
    arguments: [mint],
    options: {},
    examples: ['launchwire top holders 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const { data } = await client().listTokenTopHolders(
        { mint: argumentOf(invocation, 'mint') },
        { signal },
      );
      output.table(data, ['address', 'balanceInToken', 'sharePercent', 'labels'], (holder) => ({
        ...holder,
        labels: holder.labels.join(' '),
      }));
    },
  },
  {
    name: 'top traders',
    summary: 'List the 100 wallets with the largest realised result in a token; needs no key',
    arguments: [mint],
    options: {},
    examples: ['launchwire top traders 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const { data } = await client().listTokenTopTraders(
        { mint: argumentOf(invocation, 'mint') },
        { signal },
      );
      output.table(data, [
        ...['traderWallet', 'realisedInSol', 'boughtInSol', 'soldInSol', 'heldInToken', 'lastTradeAt'],
      ]);
    },
  },
];
