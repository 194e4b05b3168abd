import { type Static, Type } from '@sinclair/typebox';
import { type tokenStatuses as Statuses, tokenStatuses } from '../../../db/values/tokens.ts';
import {
  AsOfField,
  Closed,
  CountField,
  DecimalStringField,
  described,
  Named,
  TimestampField,
} from '../../../shared/field-schemas.ts';
import { ByWindow } from '../stats/schema.ts';

/** Totals of one window (contract/market-data#overview). */
const OverviewWindowFields = Named('OverviewWindow', {
  from: described('Start of the window, a whole minute, included.', TimestampField),
  tradeCount: described('Trades of all tokens.', CountField),
  buyCount: described('Number of buys.', CountField),
  sellCount: described('Number of sells.', CountField),
  volumeInSol: described('SOL traded.', DecimalStringField),
  tradedTokenCount: described('Number of tokens that were traded.', CountField),
  traderCount: described('Number of distinct wallets that traded.', CountField),
  graduationCount: described('Number of tokens that graduated.', CountField),
});
export const OverviewWindowSchema = described('Totals of the window.', OverviewWindowFields);
export type OverviewWindow = Static<typeof OverviewWindowSchema>;

type TokenStatus = (typeof Statuses)[number];

const byStatus = Object.fromEntries(
  tokenStatuses.map((status) => [status, described(`Tokens that are \`${status}\`.`, CountField)]),
) as Record<TokenStatus, typeof CountField>;

/** What one worker computes. */
export const OverviewBodySchema = Type.Object({
  windows: described('Totals by window.', ByWindow(OverviewWindowSchema)),
  tokens: described(
    'Visible tokens.',
    Closed({
      total: described('All of them.', CountField),
      byStatus: described('Number of tokens by status, as `listTokens` lists them.', Closed(byStatus)),
    }),
  ),
});
export type OverviewBody = Static<typeof OverviewBodySchema>;

/** contract/market-data#overview */
export const MarketOverviewSchema = Named('MarketOverview', {
  asOf: AsOfField,
  computedAt: described('When the totals were computed.', TimestampField),
  ...OverviewBodySchema.properties,
});
export type MarketOverview = Static<typeof MarketOverviewSchema>;
