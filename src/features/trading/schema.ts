import { Type } from '@sinclair/typebox';
import { wireVersions } from '../../chain/transactions/compile-transaction.ts';
import { TransactionIntentSchema } from '../../intents/schema.ts';
import { SendingSchema, sendingFields } from '../../intents/sending-schema.ts';
import { unpublishedLimits } from '../../shared/contract-limits.ts';
import {
  AddressField,
  AsOfField,
  Closed,
  CountField,
  DecimalStringField,
  described,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  SlotField,
  TimestampField,
  UuidField,
  VersionField,
} from '../../shared/field-schemas.ts';
import { prices } from '../../shared/prices.ts';
import { DEFAULT_SLIPPAGE_BPS, requestModes } from './requested-swap.ts';

const sides = ['buy', 'sell'] as const;
const venues = ['bonding_curve', 'amm'] as const;
/**
 * Digits of the largest amount on any chain. Amounts that do not fit an instruction have their own problem.
 */
const AMOUNT_DIGITS_MAX = 39;

const SideField = described('Whether the token is bought or sold.', OneOf(sides));
export const ModeField = described('Which side of the swap `amountRaw` fixes.', OneOf(requestModes));
const AmountField = Type.String({
  pattern: `^(0|[1-9][0-9]{0,${AMOUNT_DIGITS_MAX - 1}})$`,
  description:
    'Raw units that the wallet pays or, with `exact-out`, gets: lamports of SOL, base units of the token.',
  examples: ['1000000'],
});

const AmountBpsField = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description:
    'Share of the wallet’s tokens to sell, in basis points, in place of `amountRaw`. The balance is that of the quote’s slot; the amount is rounded down.',
});

export const PlatformFeeField = Type.Integer({
  minimum: 0,
  maximum: unpublishedLimits.platformFeeBps,
  description:
    'Fee of an integrator in basis points of the SOL that the wallet pays or that the pool pays out, for the account that the operator registered.',
});

export const SlippageField = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  default: DEFAULT_SLIPPAGE_BPS,
  description: 'How much worse than quoted the swap may become, in basis points.',
});

/** contract/trading#quote */
export const QuoteQuery = Type.Object({
  side: SideField,
  amountRaw: Type.Optional(AmountField),
  amountBps: Type.Optional(AmountBpsField),
  wallet: Type.Optional(
    described('The wallet whose tokens `amountBps` is a share of; only with `amountBps`.', AddressField),
  ),
  mode: Type.Optional(ModeField),
  slippageBps: SlippageField,
  platformFeeBps: Type.Optional(PlatformFeeField),
});

/** The order of a wallet, in requests for swaps and for their instructions. */
export const orderFields = {
  side: SideField,
  amountRaw: Type.Optional(AmountField),
  amountBps: Type.Optional(AmountBpsField),
  mode: Type.Optional(ModeField),
  slippageBps: Type.Optional(SlippageField),
  limitRaw: Type.Optional({
    ...AmountField,
    description: '`minimumOutputRaw` or `maximumInputRaw` of an earlier quote, in place of `slippageBps`.',
  }),
  platformFeeBps: Type.Optional(PlatformFeeField),
};

/** contract/trading#swap */
export const SwapBody = Closed({
  ...orderFields,
  ...sendingFields,
  transactionVersion: described('Wire version of the transaction.', Type.Optional(OneOf(wireVersions))),
  simulate: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether to simulate the swap in any case. Otherwise it is not simulated if a similar swap was simulated a moment ago.',
    }),
  ),
});

const FeeSchema = Type.Object({
  mintAddress: MintAddressField,
  rate: described('Fee as a fraction of the amount.', DecimalStringField),
  totalRaw: described('Total fee, in raw units.', IntStringField),
  protocolRaw: described('Share of the protocol, raw units.', IntStringField),
  partnerRaw: described('Share of the partner, raw units.', IntStringField),
  creatorRaw: described('Share of the creator, raw units.', IntStringField),
  liquidityProvidersRaw: described('Share of the liquidity providers, raw units.', IntStringField),
});

/** contract/trading#quote */
export const SwapQuoteSchema = described(
  'A swap with its amounts, fees and prices in one slot.',
  Named('SwapQuote', {
    mintAddress: MintAddressField,
    venue: described('Where the token trades.', OneOf(venues)),
    poolAddress: described('Account of the pool.', AddressField),
    programAddress: described('Program of the pool.', AddressField),
    side: SideField,
    mode: ModeField,
    inputMint: described('Mint of the token that the wallet pays with.', AddressField),
    outputMint: described('Mint of the token that the wallet gets.', AddressField),
    inputRaw: described(
      'Amount that the wallet pays, in raw units, including pool fees and platform fee.',
      IntStringField,
    ),
    outputRaw: described(
      'Amount that the wallet gets after all of these fees, in raw units.',
      IntStringField,
    ),
    amountBps: described(
      'The requested share of the wallet’s tokens, in basis points, whose amount is `inputRaw`; null with `amountRaw`.',
      Nullable(Type.Integer({ minimum: 1, maximum: 10_000 })),
    ),
    walletBalanceRaw: described(
      'Tokens of the wallet in this slot, raw units; null without `amountBps`.',
      Nullable(IntStringField),
    ),
    platformFee: described(
      'Fee of an integrator, included in `inputRaw` of a buy and taken off `outputRaw` of a sell; null without `platformFeeBps`.',
      Nullable(
        Type.Object({
          bps: described('The requested rate, in basis points.', Type.Integer({ minimum: 1 })),
          lamports: described(
            'Amount that is paid, whatever the price does in the meantime.',
            IntStringField,
          ),
          account: described(
            'Account that gets the fee, as the operator registered it; null in quotes, because a quote belongs to no account.',
            Nullable(AddressField),
          ),
        }),
      ),
    ),
    slippageBps: described(
      'How much worse than quoted the swap may become, in basis points; null if the request had a `limitRaw`.',
      Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
    ),
    minimumOutputRaw: described(
      'Minimum output with `exact-in`; null with `exact-out`.',
      Nullable(IntStringField),
    ),
    maximumInputRaw: described(
      'Maximum input with `exact-out`; null with `exact-in`.',
      Nullable(IntStringField),
    ),
    fee: described('Fee of the pool, included in the amounts.', FeeSchema),
    spotPriceInSol: described(prices.quoteSpot.meaning, DecimalStringField),
    spotPriceAfterInSol: described(prices.quoteSpotAfter.meaning, DecimalStringField),
    priceImpactBps: described(
      'How much less the swap gives than the spot price would, without fees, in basis points.',
      CountField,
    ),
    completesCurve: described('Whether the swap would be the last one on the curve.', Type.Boolean()),
    remainingCapacity: described(
      'Amounts that the curve still takes and sells; null on the AMM.',
      Nullable(
        Type.Object({
          quoteRaw: described('Lamports that the curve still takes, without fees.', IntStringField),
          baseRaw: described('Maximum base units of the token that a buy can still get.', IntStringField),
        }),
      ),
    ),
    slot: SlotField,
    asOf: AsOfField,
  }),
);

/** contract/trading#swap */
export const SwapSchema = Named('Swap', {
  intentId: described('The transaction intent to sign and submit.', UuidField),
  intentUrl: described('Address at which the intent can be read.', Type.String({ format: 'uri' })),
  version: VersionField,
  expectedSigner: described('The wallet that must sign.', AddressField),
  recentBlockhash: described('Blockhash of the transaction.', Type.String()),
  lastValidBlockHeight: described(
    'Block height above which the transaction certainly cannot land.',
    IntStringField,
  ),
  expiresAt: described('When it expires.', TimestampField),
  tipLamports: described(
    'Tip of the transaction to a landing service, in addition to fees; 0 if none is configured.',
    IntStringField,
  ),
  sending: SendingSchema,
  quote: SwapQuoteSchema,
  intent: TransactionIntentSchema,
});
