import { type Static, Type } from '@sinclair/typebox';
import { orderStatuses, orderTriggerPrices, orderTriggerSides, orderVenues } from '../../db/values/orders.ts';
import { tradeTypes } from '../../db/values/trades.ts';
import { priorityLevels, sendRoutes } from '../../db/values/transaction-intents.ts';
import { LandedSchema, TransactionIntentSchema } from '../../intents/schema.ts';
import { SendingSchema, sendingFields } from '../../intents/sending-schema.ts';
import {
  AddressField,
  Closed,
  CompletedAtField,
  CountField,
  CreatedAtField,
  DecimalStringField,
  described,
  IdField,
  IntStringField,
  MintAddressField,
  Named,
  Nullable,
  OneOf,
  RequestedDecimalField,
  RequestedIntField,
  SentSignatureField,
  TimestampField,
  UuidField,
  VersionField,
  WalletAddressField,
} from '../../shared/field-schemas.ts';
import { prices } from '../../shared/prices.ts';
import { orderNotices } from './nonce-gates.ts';
import { everyOrderReason } from './state.ts';

/** Why an answer carries no intent that advances the nonce (contract/orders#cancel). */
export const missingAdvances = ['nothing_signed', 'nonce_spent', 'chain_unavailable', 'refused'] as const;
export type MissingAdvance = (typeof missingAdvances)[number];

const triggerFields = {
  price: described(prices.trigger.meaning, DecimalStringField),
  when: described(
    'Whether it triggers at the price and above, or at the price and below.',
    OneOf(orderTriggerSides),
  ),
  of: described(
    'Which price of a trade is compared: the price of the pool after the trade, or the price that the trade paid, including fees.',
    OneOf(orderTriggerPrices),
  ),
};

const orderTransactionFields = {
  id: described('Id of the transaction. When it is sent, its intent has the same id.', UuidField),
  venue: described(
    'Where it trades: on the curve, or in the pool to which the token migrates.',
    OneOf(orderVenues),
  ),
  signed: described('Whether its signature was accepted.', Type.Boolean()),
};

const orderFields = {
  id: IdField,
  status: described('State of the record.', OneOf(orderStatuses)),
  walletAddress: WalletAddressField,
  mintAddress: MintAddressField,
  side: described('Whether the token is bought or sold.', OneOf(tradeTypes)),
  amountRaw: described('Amount that the wallet pays, in raw units: lamports for a buy.', RequestedIntField),
  limitRaw: described(
    'Minimum amount that the wallet gets, in raw units. The program enforces it.',
    IntStringField,
  ),
  slippageBps: described(
    'Slippage from which `limitRaw` was computed, in basis points; null if the request had a `limitRaw`.',
    Nullable(Type.Integer({ minimum: 0, maximum: 10_000 })),
  ),
  trigger: described('The price at which the order is sent.', Type.Object(triggerFields)),
  slotId: described('The order slot whose nonce the order is signed with.', UuidField),
  oco: described(
    'Orders of one slot with this name exclude each other; null for an order that has its slot alone.',
    Nullable(Type.String()),
  ),
  route: described(
    'Addresses to which it is sent: `fast` to all, `protected` only to those that show it to nobody before it lands.',
    OneOf(sendRoutes),
  ),
  priorityLevel: described(
    'Level that set its priority fee; null if no level did.',
    Nullable(OneOf(priorityLevels)),
  ),
  tipLamports: described('Tip to a landing service, in lamports; 0 if there is none.', IntStringField),
};

const orderProgressFields = {
  triggeredBy: described(
    'The trade that triggered the order; null until then, and again if the trade was reverted before the order was sent.',
    Nullable(
      Type.Object({
        tradeId: described('The first trade that crossed the price.', UuidField),
        slot: described('Slot of the trade.', IntStringField),
        price: described(prices.triggeredBy.meaning, DecimalStringField),
        at: described('When the service stored the trade.', TimestampField),
      }),
    ),
  ),
  attempts: described('How often its simulation was refused before it was sent.', CountField),
  refusal: described(
    'Why the chain refused it at the last refused simulation; null if it was never refused.',
    Nullable(
      Type.Object({
        reason: described(
          'Reason: too little balance, an error of a program, or something else.',
          OneOf(['insufficient_funds', 'program_error', 'refused']),
        ),
        programError: described(
          'The error of the program; null if there is none.',
          Nullable(
            Type.Object({
              program: described('Address of the program.', AddressField),
              number: described('Number of the error.', Type.Integer()),
              name: described('Name of the error; null if it is unknown.', Nullable(Type.String())),
            }),
          ),
        ),
      }),
    ),
  ),
  reason: described(
    'Why it failed, or ended without landing; null otherwise.',
    Nullable(OneOf(everyOrderReason)),
  ),
  intentId: described('The transaction intent that sends it; null until it is sent.', Nullable(UuidField)),
  transactionSignature: SentSignatureField,
  landed: described(
    'What its transaction did in its block; null until that is known.',
    Nullable(LandedSchema),
  ),
  advanceIntentId: described(
    'The newest transaction intent that makes the signatures of the order worthless; null if there is none.',
    Nullable(UuidField),
  ),
  version: VersionField,
  expiresAt: described('When the order expires, unless it is sent before.', TimestampField),
  createdAt: CreatedAtField,
  openedAt: described('When it was signed; null until then.', Nullable(TimestampField)),
  completedAt: CompletedAtField,
};

/** contract/orders#order: an order in lists, events and streams. */
export const OrderSchema = described(
  'A swap that is signed with a durable nonce and waits for a price.',
  Named('Order', {
    ...orderFields,
    transactions: described(
      'Its transactions, of which at most one lands.',
      Type.Array(Type.Object(orderTransactionFields)),
    ),
    ...orderProgressFields,
  }),
);
export type Order = Static<typeof OrderSchema>;

/** contract/orders#create: an order with the bytes of its transactions. */
export const PreparedOrderSchema = Named('PreparedOrder', {
  ...OrderSchema.properties,
  transactions: described(
    'Its transactions, of which at most one lands. The first one is for the pool of today.',
    Type.Array(
      Type.Object({
        ...orderTransactionFields,
        serializedTransaction: described('The transaction to sign, byte for byte, in base64.', Type.String()),
        sending: SendingSchema,
      }),
    ),
  ),
  notices: described(
    'Changes of durable nonces in the cluster, planned or made, that affect how the order lands; usually empty.',
    Type.Array(OneOf(orderNotices)),
  ),
});

/** contract/orders#cancel */
export const CancelledOrderSchema = Named('CancelledOrder', {
  order: OrderSchema,
  sending: described('Null if there is no intent.', Nullable(SendingSchema)),
  intent: described(
    'The transaction intent that advances the nonce. It makes every signature with the old nonce worthless. Null if there is none.',
    Nullable(TransactionIntentSchema),
  ),
  missing: described('Why there is no intent; null if there is one.', Nullable(OneOf(missingAdvances))),
});

export const OrderPath = Type.Object({ orderId: described('Order id.', UuidField) });

export const MintFilter = described('Only orders of this token.', Type.Optional(AddressField));

export const NewOrderBody = Closed({
  slotId: described('The order slot whose nonce the order is signed with.', UuidField),
  mint: MintAddressField,
  side: described('Whether the token is bought or sold.', OneOf(tradeTypes)),
  amountRaw: described(
    'Exact amount that the wallet pays, in raw units: lamports for a buy.',
    RequestedIntField,
  ),
  trigger: described(
    'The price at which the order is sent.',
    Closed({
      price: described(`${prices.trigger.meaning} Not 0.`, RequestedDecimalField),
      when: triggerFields.when,
      of: described(`${triggerFields.of.description} Default: \`spot\`.`, Type.Optional(triggerFields.of)),
    }),
  ),
  limitRaw: described(
    'Minimum amount that the wallet gets, in raw units. Send either this or `slippageBps`.',
    Type.Optional(RequestedIntField),
  ),
  slippageBps: described(
    'How much less than at the trigger price the wallet may get, in basis points, including fees of the pool.',
    Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  ),
  oco: described(
    'A name that orders of one slot share. When one of them lands, the others can never land. Null for an order that has its slot alone.',
    Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z0-9_.-]+$',
          description: 'letters, digits, dots, hyphens and underscores',
        }),
      ),
    ),
  ),
  expiresAt: described(
    'When the order expires, unless it is sent before: from 1 minute to 90 days ahead. Default: 90 days ahead.',
    Type.Optional(TimestampField),
  ),
  ...sendingFields,
});

export const SignaturesBody = Closed({
  transactions: described(
    'The signed transactions; the first of the order must be among them.',
    Type.Array(
      Closed({
        id: described('Id of the transaction.', UuidField),
        signedTransaction: described(
          'The bytes of `serializedTransaction` with the signature of the wallet, in base64.',
          Type.String({ minLength: 1, maxLength: 2_048 }),
        ),
      }),
      { minItems: 1, maxItems: 2 },
    ),
  ),
});
