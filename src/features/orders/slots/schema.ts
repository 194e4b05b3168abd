import { type Static, Type } from '@sinclair/typebox';
import { orderSlotStatuses } from '../../../db/values/order-slots.ts';
import { TransactionIntentSchema } from '../../../intents/schema.ts';
import { SendingSchema, sendingFields } from '../../../intents/sending-schema.ts';
import {
  AddressField,
  Closed,
  CompletedAtField,
  CreatedAtField,
  described,
  IdField,
  IntStringField,
  Named,
  Nullable,
  OneOf,
  UuidField,
} from '../../../shared/field-schemas.ts';

/** contract/orders#slot */
export const OrderSlotSchema = described(
  'A nonce account of a wallet. Orders are signed with its nonce.',
  Named('OrderSlot', {
    id: IdField,
    nonceAddress: described('The nonce account.', AddressField),
    walletAddress: described(
      'The wallet that pays the rent of the account, may advance its nonce, and gets the rent back.',
      AddressField,
    ),
    status: described('State of the record.', OneOf(orderSlotStatuses)),
    nonce: described(
      'The nonce at `readSlot`, in base58; it may have advanced since. Null until the account has one.',
      Nullable(Type.String()),
    ),
    readSlot: described(
      'Slot of the chain at which the nonce was read; null until then.',
      Nullable(IntStringField),
    ),
    intentId: described(
      'The transaction intent that creates the account; null for an account that existed before.',
      Nullable(UuidField),
    ),
    closingIntentId: described(
      'The newest transaction intent that returns the rent; null if there is none.',
      Nullable(UuidField),
    ),
    createdAt: CreatedAtField,
    completedAt: CompletedAtField,
  }),
);
export type OrderSlot = Static<typeof OrderSlotSchema>;

/** contract/orders#create-slot */
export const PreparedOrderSlotSchema = Named('PreparedOrderSlot', {
  ...OrderSlotSchema.properties,
  sending: described('Null for an account that existed before.', Nullable(SendingSchema)),
  intent: described('Null for an account that existed before.', Nullable(TransactionIntentSchema)),
});

/** contract/orders#close-slot */
export const OrderSlotClosureSchema = Named('OrderSlotClosure', {
  slot: OrderSlotSchema,
  sending: SendingSchema,
  intent: TransactionIntentSchema,
});

export const OrderSlotPath = Type.Object({ slotId: described('Order slot id.', UuidField) });

export const NewOrderSlotBody = Closed({
  nonceAddress: described(
    'An existing nonce account whose nonce the wallet of the key may advance; null to create an account.',
    Type.Optional(Nullable(AddressField)),
  ),
  ...sendingFields,
});

export const ClosureBody = Closed({ ...sendingFields });
