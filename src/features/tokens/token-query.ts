import { Type } from '@sinclair/typebox';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import {
  AddressField,
  CountField,
  described,
  OneOf,
  RequestedDecimalField,
  SignedDecimalStringField,
  TimestampField,
} from '../../shared/field-schemas.ts';
import { MINTS_LENGTH_MAX } from '../../shared/requested-mints.ts';
import { tokenSorts } from './token-filter.ts';

const { listedMints, searchLength } = unpublishedLimits;

const DecimalBound = { ...RequestedDecimalField, examples: ['100'] };
const ChangeBound = { ...SignedDecimalStringField, maxLength: 40, examples: ['-12.5'] };
const ShareBound = { ...RequestedDecimalField, examples: ['0.5'] };

/** Parameters of `listTokens` beyond the page, the status and the launch type. */
export const tokenQueryFields = {
  query: Type.Optional(
    Type.String({
      // Longer texts are refused by their characters, not their code units.
      maxLength: 4 * searchLength,
      description: `Symbol, name or beginning of the address, 1 to ${searchLength} characters; not with \`sort\`, \`creatorWallet\` or \`mints\`.`,
      examples: ['wire'],
    }),
  ),
  creatorWallet: described(
    'Only tokens of which this wallet is the creator now.',
    Type.Optional(AddressField),
  ),
  mints: Type.Optional(
    Type.String({
      maxLength: MINTS_LENGTH_MAX,
      description: `1 to ${listedMints} mints, separated by commas, each once. The visible ones are returned in this order, whatever \`limit\` says; no other parameter goes with it.`,
      examples: ['So11111111111111111111111111111111111111112'],
    }),
  ),
  sort: described(
    'Value by which the list is sorted, the largest first. Default: `launchedAt`, which is the only one that may be combined with `creatorWallet`.',
    Type.Optional(OneOf(tokenSorts)),
  ),
  minMarketCap: described('Minimum market cap in SOL.', Type.Optional(DecimalBound)),
  maxMarketCap: described('Maximum market cap in SOL.', Type.Optional(DecimalBound)),
  minVolume24h: described('Minimum volume of the last 24 hours in SOL.', Type.Optional(DecimalBound)),
  maxVolume24h: described('Maximum volume of the last 24 hours in SOL.', Type.Optional(DecimalBound)),
  minTrades1h: described(
    'Minimum number of trades in the last hour.',
    Type.Optional({ ...CountField, maximum: 2_147_483_647 }),
  ),
  minPriceChange1h: described(
    'Minimum change of the price in the last hour, in percent.',
    Type.Optional(ChangeBound),
  ),
  maxPriceChange1h: described(
    'Maximum change of the price in the last hour, in percent.',
    Type.Optional(ChangeBound),
  ),
  minGraduationProgress: described('Minimum progress to graduation, from 0 to 1.', Type.Optional(ShareBound)),
  maxGraduationProgress: described('Maximum progress to graduation, from 0 to 1.', Type.Optional(ShareBound)),
  minLastTradeAt: described('Only tokens traded at this time or later.', Type.Optional(TimestampField)),
};
