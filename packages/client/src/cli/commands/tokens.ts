import type { Arguments, Schemas } from '../../operations.ts';
import { decimalOf } from '../amounts.ts';
import { type Command, defined, type Invocation } from '../command.ts';
import type { Values } from '../kit/command.ts';
import { choice, required, text } from '../kit/option.ts';
import { limitOption, operationCommand, take } from '../operation-command.ts';

const MINT = '7q2afV64in6N6SeZsAAB81TJzwDoD6zpqmHkzi9dQ1Zw';
const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const STATUSES = [
  'bonding',
  'graduated',
  'graduating_migration_pending',
  'graduation_failed',
  'pending',
  'pending_launch_init',
  'pending_escrows',
  'pending_finalization',
  'pre_raise_pending',
  'pre_raising',
  'pre_raise_settling',
  'pre_raise_refunding',
  'pre_raise_failed',
  'expired',
  'cancelled',
  'failed',
] as const satisfies readonly Schemas['Token']['status'][];

const SORTS = [
  'launchedAt',
  'marketCap',
  'volume24h',
  'trades1h',
  'priceChange1h',
  'graduationProgress',
  'lastTradeAt',
] as const satisfies readonly TokenListArguments['sort'][];
const COLUMNS = [
  'mintAddress',
  'symbol',
  'name',
  'status',
  'currentPriceInSol',
  'marketCapInSol',
  'launchedAt',
];
const RANKING_COLUMNS = ['volume24h', 'trades1h', 'priceChange1h', 'graduationProgress', 'lastTradeAt'];

type TokenListArguments = NonNullable<Arguments<'listTokens'>>;

const mint = text('mint address of the token', { ...required, example: MINT });
/** Commands about a wallet read that of the key if the argument is unset. */
const wallet = text('address of the wallet', { ifUnset: 'that of the key' });

async function walletOfKey({ arguments: values, client, signal }: Invocation): Promise<{ address?: string }> {
  if (values.address !== undefined) return {};
  const { walletAddress } = await client().getApiIdentity({}, { signal });
  return { address: walletAddress };
}

export const tokenCommands: readonly Command[] = [
  {
    name: 'tokens list',
    summary: 'List, sort or search tokens; needs no key',
    details:
      'If no option sorts them, the newest come first. With --sort, --query or --mints, the values that lists are sorted by follow. Tokens without the value come last.',
    options: {
      query: text('symbol, name or beginning of the address; best match first'),
      sort: choice('value to sort by, the largest first', SORTS),
      mints: text('only these, in this order: 1 to 100 addresses', { format: 'mint,…' }),
      creator: text('only those that this wallet created', { format: 'address' }),
      status: choice('only those with this status', STATUSES),
      limit: limitOption({ default: 20, most: 1_000 }),
    },
    examples: ['--status bonding', '--sort volume24h --limit 10', '--query pepe'],
    async run({ client, output, signal, options }) {
      const request = requestOf(options);
      const isRanked =
        request.sort !== undefined || request.query !== undefined || request.mints !== undefined;
      const count = request.mints === undefined ? Number(options.limit) : Number.POSITIVE_INFINITY;
      const rows = await take(client().listTokens.all(request, { signal }), count);
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
  operationCommand('tokens show', 'getToken', 'Show a token; needs no key', {
    arguments: { mint },
  }),
  operationCommand('trades', 'listTokenTrades', 'List the trades of a token, newest first; needs no key', {
    arguments: { mint },
    options: {
      wallet: text('only those of this wallet', { format: 'address' }),
      type: choice('only purchases or only sales', ['buy', 'sell']),
      'min-sol': text('only those of at least this amount', { format: 'sol' }),
      from: text('only those at or after this time', { format: 'RFC 3339 time' }),
      to: text('only those before this time', { format: 'RFC 3339 time' }),
    },
    parameters: { wallet: 'traderWallet', 'min-sol': 'minSolAmount' },
    examples: [`${MINT} --limit 5`, `${MINT} --type buy --min-sol 5 --from 2026-11-20T00:00:00Z`],
    columns: 'blockTime type solAmount tokenAmount pricePerTokenInSol traderWallet transactionSignature',
  }),
  operationCommand(
    'holdings',
    'listWalletHoldings',
    'List the tokens that a wallet holds; needs no key where a wallet is given',
    {
      arguments: { address: wallet },
      complete: walletOfKey,
      examples: ['', WALLET],
      columns: 'mintAddress symbol name amount amountRaw valueInSol',
      forPeople: (holding) => ({ ...holding, amount: decimalOf(holding.amountRaw, holding.decimals) }),
    },
  ),
  operationCommand(
    'wallet trades',
    'listWalletTrades',
    'List the trades of a wallet in all tokens, newest first; needs no key where a wallet is given',
    {
      arguments: { address: wallet },
      complete: walletOfKey,
      examples: [`${WALLET} --limit 5`],
      columns: 'blockTime mintAddress type solAmount tokenAmount pricePerTokenInSol transactionSignature',
    },
  ),
  operationCommand(
    'wallet positions',
    'listWalletPositions',
    'List what a wallet has bought and sold, with cost and result; needs no key where a wallet is given',
    {
      arguments: { address: wallet },
      complete: walletOfKey,
      examples: ['', WALLET],
      columns:
        'mintAddress symbol boughtInSol soldInSol heldInToken averageCostInSol realisedInSol unrealisedInSol lastTradeAt',
    },
  ),
  operationCommand(
    'top holders',
    'listTokenTopHolders',
    'List the 100 largest holders of a token; needs no key',
    {
      arguments: { mint },
      columns: 'address balanceInToken sharePercent labels',
      forPeople: (holder) => ({ ...holder, labels: holder.labels.join(' ') }),
    },
  ),
  operationCommand(
    'top traders',
    'listTokenTopTraders',
    'List the 100 wallets with the largest realised result in a token; needs no key',
    {
      arguments: { mint },
      columns: 'traderWallet realisedInSol boughtInSol soldInSol heldInToken lastTradeAt',
    },
  ),
];

/** The request of `tokens list`. The service refuses what does not go together. */
function requestOf(options: Values): TokenListArguments {
  return defined({
    query: options.query,
    sort: SORTS.find((one) => one === options.sort),
    mints: options.mints,
    creatorWallet: options.creator,
    status: STATUSES.find((one) => one === options.status),
  });
}
