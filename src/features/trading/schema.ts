import { Type } from '@sinclair/typebox';
import { wireVersions } from '../../chain/transactions/compile-transaction.ts';
import {
  AddressField,
  DecimalStringField,
  IntStringField,
  Nullable,
  OneOf,
  TimestampField,
  UuidField,
} from '../../shared/field-schemas.ts';
import { DEFAULT_SLIPPAGE_BPS, requestModes } from './requested-swap.ts';

const sides = ['buy', 'sell'] as const;
const venues = ['bonding_curve', 'amm'] as const;
/** Digits that any amount of a chain has at most; what does not fit an instruction is told by its own problem. */
const AMOUNT_DIGITS_MAX = 39;

const AmountField = Type.String({
  pattern: `^(0|[1-9][0-9]{0,${AMOUNT_DIGITS_MAX - 1}})$`,
  description:
    'raw units of what goes in, or with `exact-out` of what comes out: lamports of SOL, base units of the token',
  examples: ['1000000'],
});

const SlippageField = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  default: DEFAULT_SLIPPAGE_BPS,
  description: 'how much worse than quoted a swap may become, in basis points',
});

/** contract/trading#quote */
export const QuoteQuery = Type.Object({
  side: OneOf(sides),
  amountRaw: AmountField,
  mode: Type.Optional(OneOf(requestModes)),
  slippageBps: SlippageField,
});

/** contract/trading#swap */
export const SwapBody = Type.Object(
  {
    side: OneOf(sides),
    amountRaw: AmountField,
    mode: Type.Optional(OneOf(requestModes)),
    slippageBps: Type.Optional(SlippageField),
    limitRaw: Type.Optional({
      ...AmountField,
      description: 'minimumOutputRaw or maximumInputRaw of an earlier quote, in place of slippageBps',
    }),
    computeUnitPrice: Type.Optional(
      Type.String({
        pattern: '^(auto|0|[1-9][0-9]{0,19})$',
        description: 'micro-lamports per compute unit, or `auto`: what recent blocks asked of this pool',
        examples: ['auto'],
      }),
    ),
    transactionVersion: Type.Optional(OneOf(wireVersions)),
    simulate: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'simulate in any case; without it a swap like one that was simulated a moment ago is not',
      }),
    ),
  },
  { additionalProperties: false },
);

const FeeSchema = Type.Object({
  mintAddress: AddressField,
  rate: DecimalStringField,
  totalRaw: IntStringField,
  protocolRaw: IntStringField,
  partnerRaw: IntStringField,
  creatorRaw: IntStringField,
  liquidityProvidersRaw: IntStringField,
});

/** contract/trading#quote */
export const SwapQuoteSchema = Type.Object(
  {
    mintAddress: AddressField,
    venue: OneOf(venues),
    poolAddress: AddressField,
    programAddress: AddressField,
    side: OneOf(sides),
    mode: OneOf(requestModes),
    inputMint: AddressField,
    outputMint: AddressField,
    inputRaw: IntStringField,
    outputRaw: IntStringField,
    slippageBps: Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
    minimumOutputRaw: Nullable(IntStringField),
    maximumInputRaw: Nullable(IntStringField),
    fee: FeeSchema,
    spotPriceInSol: DecimalStringField,
    spotPriceAfterInSol: DecimalStringField,
    priceImpactBps: Type.Integer({ minimum: 0 }),
    completesCurve: Type.Boolean(),
    remainingCapacity: Nullable(Type.Object({ quoteRaw: IntStringField, baseRaw: IntStringField })),
    slot: IntStringField,
    asOf: TimestampField,
  },
  { $id: 'SwapQuote', additionalProperties: false },
);

/** contract/trading#swap */
export const SwapSchema = Type.Object(
  {
    intentId: UuidField,
    intentUrl: Type.String({ format: 'uri' }),
    version: Type.Integer({ minimum: 1 }),
    expectedSigner: AddressField,
    recentBlockhash: Type.String(),
    lastValidBlockHeight: IntStringField,
    expiresAt: TimestampField,
    tipLamports: IntStringField,
    quote: SwapQuoteSchema,
  },
  { $id: 'Swap', additionalProperties: false },
);

export const MintPath = Type.Object({ mint: AddressField });
