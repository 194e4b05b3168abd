import { type Static, Type } from '@sinclair/typebox';
import { PageOf, paginationFields } from '../../../http/lists/pages.ts';
import {
  AddressField,
  AsOfField,
  Closed,
  CountField,
  DecimalStringField,
  described,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SignedDecimalStringField,
  SlotField,
  TimestampField,
  WalletAddressField,
} from '../../../shared/field-schemas.ts';
import { prices } from '../../../shared/prices.ts';
import { TradeSchema } from '../schema.ts';

/** Entries of top holders and of top traders. */
export const TOP_MAX = 100;

export const PageQuery = Type.Object({ ...paginationFields });

/** contract/wallets#trades */
export const WalletTradesSchema = Type.Object({
  asOf: described(
    'For every token of this page, all trades before this time are listed; null on a page without trades.',
    Nullable(TimestampField),
  ),
  ...PageOf(TradeSchema).properties,
});
export type WalletTrades = Static<typeof WalletTradesSchema>;

/** contract/wallets#figures: what a wallet has bought and sold of a token. */
const figures = {
  buyCount: described('Purchases.', CountField),
  sellCount: described('Sales.', CountField),
  boughtInToken: described('Whole tokens bought.', DecimalStringField),
  boughtInSol: described('SOL paid for them, fees included.', DecimalStringField),
  soldInToken: described('Whole tokens sold.', DecimalStringField),
  soldInSol: described('SOL received for them, fees deducted.', DecimalStringField),
  heldInToken: described('Whole tokens that were bought and not sold.', DecimalStringField),
  costInSol: described('Average cost of those tokens, in total.', DecimalStringField),
  averageCostInSol: described(
    'Average cost of one whole token of those, cut off after 18 fractional digits; null if there are none.',
    Nullable(DecimalStringField),
  ),
  soldCostInSol: described('Average cost of the sold tokens, in total.', DecimalStringField),
  realisedInSol: described(
    'What was received for bought tokens, less their cost; negative for a loss.',
    SignedDecimalStringField,
  ),
  uncoveredInToken: described(
    'Whole tokens that were sold without having been bought. They have no cost and count in no result.',
    DecimalStringField,
  ),
  uncoveredInSol: described('SOL received for those tokens.', DecimalStringField),
  firstTradeAt: described('Block time of the first trade.', TimestampField),
  lastTradeAt: described('Block time of the last trade.', TimestampField),
  lastBuyAt: described('Block time of the last purchase; null if there is none.', Nullable(TimestampField)),
  lastSellAt: described('Block time of the last sale; null if there is none.', Nullable(TimestampField)),
};

/** contract/wallets#positions */
export const PositionSchema = Named('Position', {
  mintAddress: MintAddressField,
  name: described('Name of the token.', Type.String()),
  symbol: described('Ticker of the token.', Type.String()),
  ...figures,
  priceInSol: described(prices.market.meaning, Nullable(DecimalStringField)),
  unrealisedInSol: described(
    'Value of `heldInToken` at that price, less `costInSol`, cut off after nine fractional digits (one lamport); null if there is no price.',
    Nullable(SignedDecimalStringField),
  ),
  balanceInToken: described(
    'Whole tokens in the wallet, as the service counts holders; null if it does not keep the balances of the token.',
    Nullable(DecimalStringField),
  ),
  receivedInToken: described(
    'Minimum number of whole tokens that arrived other than by trades; null if the balance is unknown.',
    Nullable(DecimalStringField),
  ),
  sentInToken: described(
    'Minimum number of whole tokens that left other than by trades; null if the balance is unknown.',
    Nullable(DecimalStringField),
  ),
  complete: described(
    'False while trades of the wallet are being counted again. The figures may then be incomplete.',
    Type.Boolean(),
  ),
  asOf: described('All trades of the token before this time are counted.', TimestampField),
});
export type Position = Static<typeof PositionSchema>;

export const PositionsSchema = PageOf(PositionSchema);
export type Positions = Static<typeof PositionsSchema>;

/** contract/wallets#top-traders */
export const TopTradersSchema = Named('TopTraders', {
  mintAddress: MintAddressField,
  asOf: AsOfField,
  complete: described(
    'False while trades of the token are being counted again. The list may then be incomplete.',
    Type.Boolean(),
  ),
  data: described(
    'The traders, the largest realised result first.',
    Type.Array(Closed({ traderWallet: WalletAddressField, ...figures }), { maxItems: TOP_MAX }),
  ),
});
export type TopTraders = Static<typeof TopTradersSchema>;
export type TraderFigures = Omit<TopTraders['data'][number], 'traderWallet'>;

export const holderLabels = ['creator', 'pool', 'locker', 'staking', 'tokenomics'] as const;

/** contract/wallets#top-holders */
export const TopHoldersSchema = Named('TopHolders', {
  mintAddress: MintAddressField,
  slot: SlotField,
  asOf: AsOfField,
  totalSupply: described('Supply in whole tokens.', DecimalStringField),
  data: described(
    'The holders, the largest balance first.',
    Type.Array(
      Closed({
        address: described('Wallet, or account of the protocol.', AddressField),
        balanceInToken: described('Whole tokens that it holds in all its accounts.', DecimalStringField),
        sharePercent: described(
          'Share of the total supply, in percent, cut off after six digits.',
          Type.Number({ minimum: 0, maximum: 100 }),
        ),
        labels: described('What the address is known to be.', Type.Array(OneOf(holderLabels))),
      }),
      { maxItems: TOP_MAX },
    ),
  ),
});
export type TopHolders = Static<typeof TopHoldersSchema>;
export type HolderLabel = TopHolders['data'][number]['labels'][number];
