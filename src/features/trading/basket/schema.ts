import { Type } from '@sinclair/typebox';
import { unpublishedLimits } from '../../../shared/contract-limits.ts';
import {
  AddressField,
  AsOfField,
  CodeField,
  DetailField,
  described,
  MintAddressField,
  Named,
  Nullable,
  SlotField,
} from '../../../shared/field-schemas.ts';
import { ModeField, PlatformFeeField, SlippageField, SwapQuoteSchema } from '../schema.ts';

const { quotedTokens } = unpublishedLimits;
const ADDRESS_LENGTH_MAX = 44;
const AMOUNT_DIGITS_MAX = 39;

/** One value, or one for each of the mints. */
const listOf = (value: string) => `^${value}(,${value}){0,${quotedTokens - 1}}$`;

/** contract/trading#basket */
export const BasketQuery = Type.Object({
  mints: Type.String({
    maxLength: quotedTokens * (ADDRESS_LENGTH_MAX + 1),
    description: `1 to ${quotedTokens} mints, separated by commas.`,
    examples: ['So11111111111111111111111111111111111111112'],
  }),
  side: Type.String({
    pattern: listOf('(buy|sell)'),
    description: '`buy` or `sell`: one value for all mints, or one for each, separated by commas.',
    examples: ['buy'],
  }),
  amountRaw: Type.Optional(
    Type.String({
      pattern: listOf(`(0|[1-9][0-9]{0,${AMOUNT_DIGITS_MAX - 1}})`),
      description:
        'Raw units as `amountRaw` of a quote: one value for all mints, or one for each, separated by commas.',
      examples: ['1000000'],
    }),
  ),
  amountBps: Type.Optional(
    Type.String({
      pattern: listOf('[1-9][0-9]{0,4}'),
      description:
        'Shares of the wallet’s tokens to sell, each 1 to 10,000 basis points, in place of `amountRaw`: one value for all mints, or one for each, separated by commas.',
    }),
  ),
  wallet: Type.Optional(
    described('The wallet whose tokens `amountBps` is a share of; only with `amountBps`.', AddressField),
  ),
  mode: Type.Optional(ModeField),
  slippageBps: SlippageField,
  platformFeeBps: Type.Optional(PlatformFeeField),
});

const ItemSchema = Type.Object({
  mintAddress: MintAddressField,
  quote: described('The quote; null if there is none, and `error` then says why.', Nullable(SwapQuoteSchema)),
  error: described(
    'Why this token has no quote; null if it has one.',
    Nullable(
      Type.Object({
        code: CodeField,
        detail: DetailField,
        context: described(
          'Facts about the error; null if there are none.',
          Nullable(Type.Record(Type.String(), Type.Unknown())),
        ),
      }),
    ),
  ),
});

/** contract/trading#basket */
export const QuoteBasketSchema = Named('QuoteBasket', {
  items: described('One for each mint, in the order of the request.', Type.Array(ItemSchema)),
  slot: SlotField,
  asOf: AsOfField,
});
