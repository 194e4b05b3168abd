import type { Arguments, Schemas } from '../../operations.ts';
import { decimalOf } from '../amounts.ts';
import { argumentOf, type Command, numberOf } from '../command.ts';
import { take } from '../take.ts';

const mint = { name: 'mint', help: 'mint address of the token', required: true };
const STATUSES = [
  ...['bonding', 'graduated', 'graduating_migration_pending', 'graduation_failed'],
  ...['pending', 'pending_launch_init', 'pending_escrows', 'pending_finalization'],
  ...['pre_raise_pending', 'pre_raising', 'pre_raise_settling', 'pre_raise_refunding', 'pre_raise_failed'],
  ...['expired', 'cancelled', 'failed'],
] as const satisfies readonly Schemas['Token']['status'][];

export const tokenCommands: readonly Command[] = [
  {
    name: 'tokens list',
    summary: 'List tokens, newest first; needs no key',
    arguments: [],
    options: {
      status: { kind: 'text', choices: STATUSES, help: 'only those with this status' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' },
    },
    examples: ['launchwire tokens list --status bonding'],
    async run(invocation) {
      const { client, output, signal, options } = invocation;
      const { status } = options as { status?: Arguments<'listTokens'>['status'] };
      const tokens = client().listTokens.all(status === undefined ? {} : { status }, { signal });
      const rows = await take(tokens, numberOf(invocation, 'limit', 1, 1_000) ?? 20);
      output.table(rows, [
        ...['mintAddress', 'symbol', 'name', 'status'],
        ...['currentPriceInSol', 'marketCapInSol', 'launchedAt'],
      ]);
    },
  },
  {
    name: 'tokens show',
    summary: 'Show a token; needs no key',
    arguments: [mint],
    options: {},
    examples: ['launchwire tokens show 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      output.record(await client().getToken({ mint: argumentOf(invocation, 'mint') }, { signal }));
    },
  },
  {
    name: 'trades',
    summary: 'List the trades of a token, newest first; needs no key',
    arguments: [mint],
    options: { limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' } },
    examples: ['launchwire trades 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --limit 5'],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const trades = client().listTokenTrades.all({ mint: argumentOf(invocation, 'mint') }, { signal });
      const rows = await take(trades, numberOf(invocation, 'limit', 1, 1_000) ?? 20);
      output.table(rows, [
        ...['blockTime', 'type', 'solAmount', 'tokenAmount', 'pricePerTokenInSol'],
        ...['traderWallet', 'transactionSignature'],
      ]);
    },
  },
  {
    name: 'holdings',
    summary: 'List the tokens that a wallet holds; needs no key where a wallet is given',
    arguments: [
      { name: 'wallet', help: 'address of the wallet; that of the key without it', required: false },
    ],
    options: {},
    examples: ['launchwire holdings', 'launchwire holdings 9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'],
    async run({ client, output, signal, arguments: { wallet } }) {
      const address = wallet ?? (await client().getApiIdentity({}, { signal })).walletAddress;
      const { data } = await client().listWalletHoldings({ address }, { signal });
      output.table(
        data,
        ['mintAddress', 'symbol', 'name', 'amount', 'amountRaw', 'valueInSol'],
        (holding) => ({
          ...holding,
          amount: decimalOf(holding.amountRaw, holding.decimals),
        }),
      );
    },
  },
];
