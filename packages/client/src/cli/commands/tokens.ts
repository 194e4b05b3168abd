import type { Arguments, Schemas } from '../../operations.ts';
import { decimalOf } from '../amounts.ts';
import { argumentOf, type Command, type Invocation, numberOf } from '../command.ts';
import { take } from '../take.ts';

const mint = { name: 'mint', help: 'mint address of the token', required: true };
const STATUSES = [
  ...['bonding', 'graduated', 'graduating_migration_pending', 'graduation_failed'],
  ...['pending', 'pending_launch_init', 'pending_escrows', 'pending_finalization'],
  ...['pre_raise_pending', 'pre_raising', 'pre_raise_settling', 'pre_raise_refunding', 'pre_raise_failed'],
  ...['expired', 'cancelled', 'failed'],
] as const satisfies readonly Schemas['Token']['status'][];

const SORTS = [
  ...['launchedAt', 'marketCap', 'volume24h', 'trades1h', 'priceChange1h'],
  ...['graduationProgress', 'lastTradeAt'],
] as const satisfies readonly TokenListArguments['sort'][];
const COLUMNS = [
  ...['mintAddress', 'symbol', 'name', 'status'],
  ...['currentPriceInSol', 'marketCapInSol', 'launchedAt'],
];
const RANKING_COLUMNS = [
  ...['volume24h', 'trades1h', 'priceChange1h'],
  ...['graduationProgress', 'lastTradeAt'],
];

type TokenListArguments = NonNullable<Arguments<'listTokens'>>;
type TradeListArguments = NonNullable<Arguments<'listTokenTrades'>>;

/** The request of `tokens list`; what does not go together is refused by the service. */
function requestOf({ options }: Invocation): TokenListArguments {
  const { query, sort, mints, creator, status } = options as {
    [Name in 'query' | 'mints' | 'creator']?: string;
  } & Pick<TokenListArguments, 'sort' | 'status'>;
  return {
    ...(query !== undefined && { query }),
    ...(sort !== undefined && { sort }),
    ...(mints !== undefined && { mints }),
    ...(creator !== undefined && { creatorWallet: creator }),
    ...(status !== undefined && { status }),
  };
}

/** The request of `trades`; what does not fit is refused by the service. */
function tradesRequestOf(invocation: Invocation): TradeListArguments {
  const {
    wallet,
    type,
    from,
    to,
    'min-sol': minSol,
  } = invocation.options as {
    [Name in 'wallet' | 'min-sol' | 'from' | 'to']?: string;
  } & Pick<TradeListArguments, 'type'>;
  return {
    mint: argumentOf(invocation, 'mint'),
    ...(wallet !== undefined && { traderWallet: wallet }),
    ...(type !== undefined && { type }),
    ...(minSol !== undefined && { minSolAmount: minSol }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

export const tokenCommands: readonly Command[] = [
  {
    name: 'tokens list',
    summary: 'List, sort or search tokens, newest first without a sort; needs no key',
    details:
      'With --sort, --query or --mints, the values that lists are sorted by follow. Tokens without the value come last.',
    arguments: [],
    options: {
      query: {
        kind: 'text',
        value: 'TEXT',
        help: 'symbol, name or beginning of the address; best match first',
      },
      sort: { kind: 'text', choices: SORTS, help: 'value to sort by, the largest first' },
      mints: { kind: 'text', value: 'MINT,…', help: 'only these, in this order: 1 to 100 addresses' },
      creator: { kind: 'text', value: 'WALLET', help: 'only those that this wallet created' },
      status: { kind: 'text', choices: STATUSES, help: 'only those with this status' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' },
    },
    examples: [
      'launchwire tokens list --status bonding',
      'launchwire tokens list --sort volume24h --limit 10',
      'launchwire tokens list --query pepe',
    ],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const request = requestOf(invocation);
      const count = numberOf(invocation, 'limit', 1, 1_000) ?? 20;
      const tokens = client().listTokens.all(request, { signal });
      const rows = await take(tokens, request.mints === undefined ? count : Number.POSITIVE_INFINITY);
      const isRanked =
        request.sort !== undefined || request.query !== undefined || request.mints !== undefined;
      output.table(rows, isRanked ? [...COLUMNS, ...RANKING_COLUMNS] : COLUMNS, (token) => ({
        ...token,
        volume24h: token.ranking?.volumeInSol24h,
        trades1h: token.ranking?.tradeCount1h,
        priceChange1h: token.ranking?.priceChangePercent1h,
        graduationProgress: token.ranking?.graduationProgress,
        lastTradeAt: token.ranking?.lastTradeAt,
      }));
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
    options: {
      wallet: { kind: 'text', value: 'WALLET', help: 'only those of this wallet' },
      type: { kind: 'text', choices: ['buy', 'sell'], help: 'only purchases or only sales' },
      'min-sol': { kind: 'text', value: 'SOL', help: 'only those of at least this amount' },
      from: { kind: 'text', value: 'TIME', help: 'only those at or after this time' },
      to: { kind: 'text', value: 'TIME', help: 'only those before this time' },
      limit: { kind: 'text', value: 'N', help: 'how many, from 1 to 1000', default: '20' },
    },
    examples: [
      'launchwire trades 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --limit 5',
      'launchwire trades 7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw --type buy --min-sol 5 --from 2026-11-20T00:00:00Z',
    ],
    async run(invocation) {
      const { client, output, signal } = invocation;
      const trades = client().listTokenTrades.all(tradesRequestOf(invocation), { signal });
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
      { name: 'wallet', help: 'address of the wallet. Default: the wallet of the key', required: false },
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
